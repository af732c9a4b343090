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

/** A shorter key may occur in ordinary words; removing it would only garble them. */
const SHORTEST_KEY = 8;

/** Converts an error of the library to a failure, which never contains a key of eight characters or more. */
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

/** The failure of an unreadable or too large answer. */
function explainAnswer(name: string, message: string, {model, host}: Where): ModelFailure | undefined {
  if (name === 'SyntaxError')
    return {
      kind: 'network',
      message: `Cannot read the answer of ${model} at ${host}.`,
      hint: 'Try again. If it happens often, check for a proxy or gateway that changes answers.',
    };
  if (name === 'AnswerTooLarge')
    return {
      kind: 'network',
      isFinal: true,
      message: `${model} at ${host} sent ${message}, so gemini stopped reading.`,
      hint: 'Check for a proxy or gateway that changes answers.',
    };
  return undefined;
}

/** The failure of a request that the library did not send. */
function explainUnasked(words: string, {access, host, model}: Where & Pick<Asked, 'access'>): ModelFailure {
  if (!access.isVertex || access.key !== undefined)
    return {kind: 'invalid', isFinal: true, message: `Cannot send this request to ${model} at ${host}: ${words}.`};
  const hint =
    'Run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS to a credentials file.';
  return {kind: 'auth', isFinal: true, message: `There are no usable credentials for ${host}: ${words}.`, hint};
}

/** The failure of a list that did not arrive in time. */
export function tooSlow(host: string): ModelFailure {
  return {
    kind: 'network',
    message: `The list of models at ${host} did not come within ${LONGEST_WAIT_MS / 1000} seconds.`,
    hint: 'Check the network connection and the address, and try again.',
  };
}

/** The failure of an answer without a reported end. */
export function brokenOff(model: string, host: string): ModelFailure {
  return {
    kind: 'network',
    message: `The answer of ${model} at ${host} broke off before its end.`,
    hint: 'Try again. If it happens often, check for a proxy that closes long connections.',
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
