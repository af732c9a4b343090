import type {IncomingMessage, ServerResponse} from 'node:http';
import {identify, type Known} from '../tokens/identify.js';
import {TokenRefused} from '../tokens/openid-issuers.js';
import type {Grant} from '../tokens/tokens.js';

/** An answer to a request that is not let in. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MOST_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

export interface Guard extends Known {
  readonly limits: RateLimits;
  /** Whether a Host is a name of this server. */
  isOwn(host: string): boolean;
}

/** Who asks, or why it is not let in: a wrong name of this server, another web page, no token, too many requests. */
export async function guardRequest(request: IncomingMessage, guard: Guard): Promise<Refusal | {readonly grant: Grant}> {
  const {host = '', origin} = request.headers;
  // A page whose name now leads to this machine still sends its own name.
  if (!guard.isOwn(host)) return {status: 403, sentence: 'This Host is not served here.'};
  if (origin !== undefined) return {status: 403, sentence: 'Requests of web pages are not served here.'};
  const grant = await identify(request, guard).catch(refusalOf);
  if (!grant) return unknown('Send a token of this server: Authorization: Bearer <token>.');
  if ('status' in grant) return grant;
  if (!guard.limits.take(grant.id))
    return {
      status: 429,
      sentence: `More than ${MOST_PER_MINUTE} requests in a minute.`,
      headers: {'Retry-After': '60'},
    };
  return {grant};
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof TokenRefused)) throw error;
  if (error.isLater) return {status: 503, sentence: error.message, headers: {'Retry-After': '30'}};
  return unknown(error.message, ' error="invalid_token"');
}

function unknown(sentence: string, more = ''): Refusal {
  return {status: 401, sentence, headers: {'WWW-Authenticate': `Bearer${more}`}};
}

/** Counts the requests of each caller in the current minute. */
export class RateLimits {
  #minute = 0;
  readonly #counts = new Map<string, number>();

  take(caller: string): boolean {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count <= MOST_PER_MINUTE;
  }
}

/** Refuses in the form of the protocol. */
export function refuse(response: ServerResponse, {status, sentence, headers = {}}: Refusal): void {
  const body = {jsonrpc: '2.0', id: null, error: {code: -32000, message: sentence}};
  response.writeHead(status, {'content-type': 'application/json', connection: 'close', ...headers});
  response.end(JSON.stringify(body));
}
