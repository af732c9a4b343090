import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Grant, Tokens} from '../tokens/tokens.js';

/** An answer to a request that is not let in. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MOST_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Who asks, or why it is not let in: a wrong name of this server, another web page, no token, too many requests. */
export async function guardRequest(
  {headers}: IncomingMessage,
  tokens: Tokens,
  limits: RateLimits,
): Promise<Refusal | {readonly grant: Grant}> {
  const {host = '', origin, authorization = ''} = headers;
  // A page whose name now leads to this machine still sends its own name.
  if (!HOST.test(host)) return {status: 403, sentence: 'This Host is not served here.'};
  if (origin !== undefined) return {status: 403, sentence: 'Requests of web pages are not served here.'};
  const [, token] = /^Bearer +([\w.-]{1,200})$/i.exec(authorization) ?? [];
  const grant = token === undefined ? undefined : await tokens.find(token);
  if (!grant)
    return {
      status: 401,
      sentence: 'Send a token of this server: Authorization: Bearer <token>.',
      headers: {'WWW-Authenticate': 'Bearer'},
    };
  if (!limits.take(grant.id))
    return {
      status: 429,
      sentence: `More than ${MOST_PER_MINUTE} requests in a minute.`,
      headers: {'Retry-After': '60'},
    };
  return {grant};
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
