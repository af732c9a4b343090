import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** An error status of the API. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    /** The body, unchanged. */
    readonly body: string,
    readonly retryAfter?: string,
  ) {
    super(`The API answered ${status}.`);
  }
}

/** A request that did not arrive, or whose answer did not start. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

interface Detail {
  readonly '@type'?: string;
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly retryDelay?: string;
  readonly violations?: readonly {readonly quotaId?: string}[];
}

interface Read {
  readonly status: number;
  readonly words: string;
  readonly details: readonly Detail[];
  readonly delayMs?: number;
}

/** The longest delay to accept: beyond it, another model is the better answer. */
const LONGEST_DELAY = 300_000;
const GONE = /^(MODEL_CAPACITY_EXHAUSTED|MODEL_CAPACITY_EXCEEDED|INSUFFICIENT_G1_CREDITS_BALANCE|QUOTA_EXHAUSTED)$/;

/** Describes a refusal; `where` is the model and the host of the request. */
export function explainRefusal(refusal: Refusal, where: {readonly model: string; readonly host: string}): ModelFailure {
  const read = readRefusal(refusal);
  const {status, words, delayMs} = read;
  const {kind, isFinal, hint, delay = delayMs} = classify(read, where.model);
  return {
    kind,
    message:
      `${where.model} at ${where.host} answered ` +
      `${status}${words === '' ? ' without a message' : `: ${words.replace(/\.$/, '')}`}.`,
    ...(hint === undefined ? {} : {hint}),
    status,
    ...(delay === undefined ? {} : {delayMs: delay}),
    ...(isFinal ? {isFinal} : {}),
  };
}

type Class = Pick<ModelFailure, 'kind' | 'isFinal' | 'hint'> & {readonly delay?: number};

function classify(read: Read, model: string): Class {
  const {status, details} = read;
  if (status === 401 || status === 403 || details.some(({reason}) => reason === 'API_KEY_INVALID')) {
    return {
      kind: 'auth',
      isFinal: true,
      hint: 'Check the key, and that its project may use this model: https://aistudio.google.com/apikey.',
    };
  }
  if (status === 404)
    return {
      kind: 'invalid',
      isFinal: true,
      hint: 'Choose another model with --model; gemini models lists the available ones.',
    };
  if (status === 429 || status === 499) return classifyQuota(read, model);
  if (status === 408 || status >= 500) return {kind: 'overloaded', ...(isUsedUp(read) ? {isFinal: true} : {})};
  return {kind: 'invalid', isFinal: true};
}

function classifyQuota(read: Read, model: string): Class {
  const {details, delayMs} = read;
  if (isUsedUp(read))
    return {
      kind: 'quota',
      isFinal: true,
      hint: `The quota of ${model} is used up for now: choose another model with --model, or a larger quota.`,
    };
  const quotas = details.flatMap(({violations = [], metadata = {}}) => [
    ...violations.map(({quotaId = ''}) => quotaId),
    metadata['quota_limit'] ?? '',
  ]);
  const isLimited = details.some(({reason}) => reason === 'RATE_LIMIT_EXCEEDED');
  const delay = delayMs ?? (quotas.some((id) => id.includes('PerMinute')) ? 60_000 : isLimited ? 10_000 : undefined);
  return {kind: 'quota', ...(delay === undefined ? {} : {delay})};
}

/** Whether retrying does not help. */
function isUsedUp({details, words, delayMs = 0}: Read): boolean {
  const quotas = details.flatMap(({violations = []}) => violations.map(({quotaId = ''}) => quotaId));
  // Only the API's message says that a key has no quota for a model.
  return (
    delayMs > LONGEST_DELAY ||
    quotas.some((id) => /PerDay|Daily/.test(id)) ||
    details.some(({reason = ''}) => GONE.test(reason)) ||
    /limit: 0(?![\d.])/i.test(words)
  );
}

function readRefusal({status: sent, body, retryAfter}: Refusal): Read {
  const {error = {}} = parse(body);
  const words = (typeof error.message === 'string' ? error.message : body).trim();
  // Gateways put the API's own answer into the message of theirs.
  const inner = words.startsWith('{') ? parse(words).error : undefined;
  const details = [error.details, inner?.details].find(Array.isArray) ?? [];
  const message = inner?.message ?? words;
  const told = findDelay(details, message, retryAfter);
  const delayMs = told === undefined ? undefined : parseDuration(told);
  return {status: sent, words: shorten(message), details, ...(delayMs === undefined ? {} : {delayMs})};
}

/** How long to wait, as the API says it in its details, in its words or in a header. */
function findDelay(details: readonly Detail[], message: string, retryAfter = ''): string | undefined {
  return (
    details.find(({retryDelay}) => retryDelay !== undefined)?.retryDelay ??
    /Please retry in ([\d.]+m?s)/.exec(message)?.[1] ??
    (/^\d+$/.test(retryAfter) ? `${retryAfter}s` : undefined)
  );
}

interface ErrorBody {
  readonly error?: {readonly message?: string; readonly details?: readonly Detail[]};
}

function parse(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    // Some endpoints answer a stream's request with a list of one.
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'object' && first !== null ? first : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function parseDuration(text: string): number | undefined {
  const [, count = '', unit] = /^([\d.]+)(m?s)$/.exec(text) ?? [];
  const value = Number(count) * (unit === 's' ? 1000 : 1);
  return count === '' || Number.isNaN(value) ? undefined : Math.ceil(value);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 500 ? `${line.slice(0, 499)}…` : line;
}
