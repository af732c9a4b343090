import {messageOf} from '@gemini-kernel/kernel';
import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {explainDetour} from './detour.js';
import {Unreachable} from './reach.js';
import {explainRefusal, type Asked} from './refusal.js';

const WHICH = 'The setting openai.baseUrl, or OPENAI_BASE_URL, says which server is asked.';
const AGAIN =
  'Try again; if it happens often, look at what the server prints, or for a proxy that closes long connections.';

/** What is wrong with an answer before it is read; undefined = nothing. */
export async function explainResponse(response: Response, asked: Asked): Promise<ModelFailure | undefined> {
  const detour = explainDetour(response, asked);
  if (detour) await response.body?.cancel();
  if (detour ?? response.ok) return detour;
  return explainRefusal({status: response.status, body: await response.text(), headers: response.headers}, asked);
}

/** A shorter key stands in ordinary words, and taking it out would only garble them. */
const SHORTEST_KEY = 8;

/** A failure as people may see it. */
export function withoutKey({message, ...failure}: ModelFailure, key: string | undefined): ModelFailure {
  return {...failure, message: key && key.length >= SHORTEST_KEY ? message.replaceAll(key, '[key]') : message};
}

/** What an error means that asking, or reading the answer, threw. */
export async function explainError(error: unknown, asked: Asked, network: Network): Promise<ModelFailure> {
  const name = (error as {name?: unknown} | undefined)?.name;
  if (error instanceof Unreachable || name === 'TypeError') {
    const {hint, ...fault} = await network.explain(asked.baseUrl, error);
    return {kind: 'network', ...fault, hint: `${hint} ${WHICH}`};
  }
  if (name === 'SyntaxError')
    return {
      kind: 'network',
      message: `The answer of ${asked.model} at ${new URL(asked.baseUrl).host} cannot be read.`,
      hint: AGAIN,
    };
  if (name === 'AnswerTooLarge')
    return {
      kind: 'network',
      isFinal: true,
      message: `${asked.model} at ${new URL(asked.baseUrl).host} sent ${messageOf(error)}, so it was left.`,
      hint: WHICH,
    };
  throw error;
}

/** A list that did not come within so many seconds. */
export function tooSlow({model, baseUrl}: Asked, seconds: number): ModelFailure {
  return {
    kind: 'network',
    message: `${model} at ${new URL(baseUrl).host} did not come within ${seconds} seconds.`,
    hint: `Check that the server is well, and try again. ${WHICH}`,
  };
}

/** An answer that ended before it said so. */
export function brokenOff({model, baseUrl}: Asked): ModelFailure {
  return {
    kind: 'network',
    message: `The answer of ${model} at ${new URL(baseUrl).host} broke off before its end.`,
    hint: AGAIN,
  };
}

/** An answer that the server held back. */
export function blocked({model, baseUrl}: Asked): ModelFailure {
  return {
    kind: 'blocked',
    isFinal: true,
    message: `${model} at ${new URL(baseUrl).host} blocked its answer.`,
    hint: 'Say it in other words, or leave out what it may object to.',
  };
}
