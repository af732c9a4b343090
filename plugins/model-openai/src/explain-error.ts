import {messageOf} from '@gemini-kernel/kernel';
import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {explainDetour} from './detour.js';
import {Unreachable} from './reach.js';
import {explainRefusal, type Asked} from './refusal.js';

const WHICH = 'The setting openai.baseUrl, or OPENAI_BASE_URL, sets the server.';
const AGAIN =
  'Try again. If it happens often, check the output of the server, or for a proxy that closes long connections.';

/** The failure of an answer, before it is read; undefined if there is none. */
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

/** Converts an error of a request or of reading its answer. */
export async function explainError(error: unknown, asked: Asked, network: Network): Promise<ModelFailure> {
  const name = (error as {name?: unknown} | undefined)?.name;
  if (error instanceof Unreachable || name === 'TypeError') {
    const {hint, ...fault} = await network.explain(asked.baseUrl, error);
    return {kind: 'network', ...fault, hint: `${hint} ${WHICH}`};
  }
  if (name === 'SyntaxError')
    return {
      kind: 'network',
      message: `Cannot read the answer of ${asked.model} at ${new URL(asked.baseUrl).host}.`,
      hint: AGAIN,
    };
  if (name === 'AnswerTooLarge')
    return {
      kind: 'network',
      isFinal: true,
      message: `${asked.model} at ${new URL(asked.baseUrl).host} sent ${messageOf(error)}, so gemini stopped reading.`,
      hint: WHICH,
    };
  throw error;
}

/** A list that did not come within so many seconds. */
export function tooSlow({model, baseUrl}: Asked, seconds: number): ModelFailure {
  return {
    kind: 'network',
    message: `${model} at ${new URL(baseUrl).host} did not come within ${seconds} seconds.`,
    hint: `Check the server, and try again. ${WHICH}`,
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
    hint: 'Rephrase the prompt, or remove what the model may object to.',
  };
}
