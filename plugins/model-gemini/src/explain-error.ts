import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Access} from './access.js';
import {Detour, explainDetour} from './detour.js';
import {explainRefusal, Refusal, Unreachable} from './refusal.js';
import {LONGEST_WAIT_MS} from './time-limit.js';

export interface Asked {
  readonly access: Access;
  readonly host: string;
  readonly model: string;
  readonly network: Network;
  /** Whether the answer had begun. */
  readonly isReading: boolean;
}

/** A shorter key stands in ordinary words, and taking it out would only garble them. */
const SHORTEST_KEY = 8;

/** What an error that the library threw means for the caller. A key of eight characters or more is never in it. */
export async function explainError(error: unknown, asked: Asked): Promise<ModelFailure> {
  const {message, ...failure} = await explain(error, asked);
  const {key} = asked.access;
  return {...failure, message: key && key.length >= SHORTEST_KEY ? message.replaceAll(key, '[key]') : message};
}

async function explain(error: unknown, {access, host, model, network, isReading}: Asked): Promise<ModelFailure> {
  if (error instanceof Refusal) return explainRefusal(error, {model, host});
  if (error instanceof Detour)
    return explainDetour(error, {model, host}, access.isVertex ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL');
  const {name, message, status} = describeError(error);
  // A refusal in the middle of a stream: its JSON stands behind some words of the library.
  if (name === 'ApiError' && status !== undefined)
    return explainRefusal(new Refusal(status, message.slice(Math.max(message.indexOf('{'), 0))), {model, host});
  if (error instanceof Unreachable || (isReading && name === 'TypeError'))
    return {kind: 'network', ...(await network.explain(access.baseUrl ?? `https://${host}`, error))};
  const failure = explainAnswer(name, message, {model, host});
  if (failure) return failure;
  if (isReading) return brokenOff(model, host);
  return explainUnasked(message.replace(/\.$/, ''), {access, host, model});
}

type Where = Pick<Asked, 'model' | 'host'>;

/** An answer that cannot be read, or is too large. */
function explainAnswer(name: string, message: string, {model, host}: Where): ModelFailure | undefined {
  if (name === 'SyntaxError')
    return {
      kind: 'network',
      message: `The answer of ${model} at ${host} cannot be read.`,
      hint: 'Try again; if it happens often, look for a proxy or a gateway that changes answers.',
    };
  if (name === 'AnswerTooLarge')
    return {
      kind: 'network',
      isFinal: true,
      message: `${model} at ${host} sent ${message}, so it was left.`,
      hint: 'Look for a proxy or a gateway that changes answers.',
    };
  return undefined;
}

/** A request that the library did not send. */
function explainUnasked(words: string, {access, host, model}: Where & Pick<Asked, 'access'>): ModelFailure {
  if (!access.isVertex || access.key !== undefined)
    return {kind: 'invalid', isFinal: true, message: `${model} at ${host} cannot be asked this: ${words}.`};
  const hint =
    'Run gcloud auth application-default login, or name a file of credentials in GOOGLE_APPLICATION_CREDENTIALS.';
  return {kind: 'auth', isFinal: true, message: `There are no usable credentials for ${host}: ${words}.`, hint};
}

/** A list that did not come. */
export function tooSlow(host: string): ModelFailure {
  return {
    kind: 'network',
    message: `The list of models at ${host} did not come within ${LONGEST_WAIT_MS / 1000} seconds.`,
    hint: 'Check the connection to the network and the address, and try again.',
  };
}

/** An answer that ended before it said so. */
export function brokenOff(model: string, host: string): ModelFailure {
  return {
    kind: 'network',
    message: `The answer of ${model} at ${host} broke off before its end.`,
    hint: 'Try again; if it happens often, look for a proxy that closes long connections.',
  };
}

function describeError(error: unknown): {readonly name: string; readonly message: string; readonly status?: number} {
  const {
    name = '',
    message = String(error),
    status,
  } = (typeof error === 'object' && error !== null ? error : {}) as {name?: string; message?: string; status?: number};
  return {name, message, ...(status === undefined ? {} : {status})};
}
