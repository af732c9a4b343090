import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** The model and the server, for messages. */
export interface Asked {
  readonly model: string;
  readonly baseUrl: string;
}

/** A refusal as it came; without a status it stood in the middle of a stream. */
export interface Refused {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Headers;
}

/** The longest delay to accept. */
const LONGEST_DELAY = 300_000;

const NAMED: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  not_found_error: 404,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  server_error: 500,
  overloaded_error: 529,
};

/** Describes a refusal. */
export function explainRefusal(refused: Refused, {model, baseUrl}: Asked): ModelFailure {
  const read = readError(refused.body);
  const status = refused.status ?? statusOf(read);
  const delayMs = refused.headers && readDelay(refused.headers);
  const {host} = new URL(baseUrl);
  const answered = status === undefined ? 'with an error' : String(status);
  const words = read.words === '' ? ' without a message' : `: ${read.words.replace(/\.$/, '')}`;
  return {
    ...classify(status, {model, baseUrl}, isUsedUp(read, delayMs)),
    message: `${model} at ${host} answered ${answered}${words}.`,
    ...(status === undefined ? {} : {status}),
    ...(delayMs === undefined ? {} : {delayMs}),
  };
}

/** Whether retrying does not help. */
function isUsedUp({code, type}: ReadError, delayMs = 0): boolean {
  return code === 'insufficient_quota' || type === 'insufficient_quota' || delayMs > LONGEST_DELAY;
}

function classify(
  status: number | undefined,
  {model, baseUrl}: Asked,
  isUsedUp: boolean,
): Pick<ModelFailure, 'kind' | 'hint' | 'isFinal'> {
  if (status === 401 || status === 403)
    return {
      kind: 'auth',
      isFinal: true,
      hint: 'Check the key: OPENAI_API_KEY, or the variable that the setting openai.apiKeyVariable names.',
    };
  if (status === 404)
    return {
      kind: 'invalid',
      isFinal: true,
      hint: isLocal(baseUrl)
        ? `If the server is Ollama, run ollama pull ${model}; gemini models lists what it has.`
        : 'Check openai.baseUrl, or choose another model: gemini models lists the available ones.',
    };
  if (status === 402) return {kind: 'quota', isFinal: true};
  if (status === 429)
    return {
      kind: 'quota',
      ...(isUsedUp
        ? {isFinal: true, hint: 'The account has no quota left: check its plan, or choose another model.'}
        : {}),
    };
  if (status === undefined || status === 408 || status >= 500) return {kind: 'overloaded'};
  return {kind: 'invalid', isFinal: true};
}

/** What servers say in the place of a status, once a stream has begun. */
function statusOf({code, type}: ReadError): number | undefined {
  if (typeof code === 'number') return code;
  const name = String(type ?? code ?? '');
  return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
}

function isLocal(baseUrl: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|\[::1\]|[^.]+$)/.test(new URL(baseUrl).hostname);
}

interface ReadError {
  readonly words: string;
  readonly code?: unknown;
  readonly type?: unknown;
}

function readError(body: string): ReadError {
  const parsed = parse(body);
  const error = (parsed as {error?: unknown} | undefined)?.error ?? parsed;
  if (typeof error === 'string') return {words: shorten(error)};
  const {message, code, type} = (typeof error === 'object' && error !== null ? error : {}) as {
    message?: unknown;
    code?: unknown;
    type?: unknown;
  };
  return {words: shorten(typeof message === 'string' ? message : body.trim()), code, type};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** How long the server asks to wait: in milliseconds, in seconds, or until a date. */
function readDelay(headers: Headers): number | undefined {
  const [exact, after] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  if (exact !== null && Number(exact) >= 0) return Math.ceil(Number(exact));
  if (after === null) return undefined;
  if (Number(after) >= 0) return Math.ceil(Number(after) * 1000);
  const [until, now] = [Date.parse(after), Date.parse(headers.get('date') ?? '')];
  return Number.isNaN(until - now) ? undefined : Math.max(until - now, 0);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 500 ? `${line.slice(0, 499)}…` : line;
}
