import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import {Unreachable} from './reach.js';
import type {Asked} from './refusal.js';

const AGAIN = 'Try again; if it happens often, look at what the server prints, or for a proxy that closes long connections.';

/** What an error means that asking, or reading the answer, threw. */
export async function explainError(error: unknown, asked: Asked, network: Network): Promise<ModelFailure> {
  const name = (error as {name?: unknown} | undefined)?.name;
  if (error instanceof Unreachable || name === 'TypeError') {
    const {message, hint} = await network.explain(asked.baseUrl, error);
    return {kind: 'network', message, hint: `${hint} The setting openai.baseUrl, or OPENAI_BASE_URL, says which server is asked.`};
  }
  if (name === 'SyntaxError') return {kind: 'network', message: `The answer of ${asked.model} at ${new URL(asked.baseUrl).host} cannot be read.`, hint: AGAIN};
  throw error;
}

/** An answer that ended before it said so. */
export function brokenOff({model, baseUrl}: Asked): ModelFailure {
  return {kind: 'network', message: `The answer of ${model} at ${new URL(baseUrl).host} broke off before its end.`, hint: AGAIN};
}

/** An answer that the server held back. */
export function blocked({model, baseUrl}: Asked): ModelFailure {
  return {kind: 'blocked', isFinal: true, message: `${model} at ${new URL(baseUrl).host} blocked its answer.`, hint: 'Say it in other words, or leave out what it may object to.'};
}
