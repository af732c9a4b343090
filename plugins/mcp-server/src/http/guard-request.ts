import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

/** An answer to a request that is not let in. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Guard {
  readonly token: string;
  /** Names under which the server may be addressed, without a port. */
  readonly hosts: ReadonlySet<string>;
}

/** Undefined when the request may come in: it names this server, comes from no other web page, and has the token. */
export function guardRequest({headers, url}: IncomingMessage, {token, hosts}: Guard): Refusal | undefined {
  const {host, origin, authorization} = headers;
  const name = hostnameOf(`http://${host ?? ''}`);
  // A page whose name now leads to this machine still sends its own name.
  if (name === undefined || !hosts.has(name)) return {status: 403, sentence: 'This Host is not served here.'};
  if (origin !== undefined && hostOf(origin) !== host)
    return {status: 403, sentence: 'Requests of other web pages are not served here.'};
  if (!isToken(authorization, token))
    return {
      status: 401,
      sentence: 'Send the token of this server: Authorization: Bearer <token>.',
      headers: {'WWW-Authenticate': 'Bearer'},
    };
  if ((url ?? '').split('?')[0] !== '/mcp') return {status: 404, sentence: 'The server is at /mcp.'};
  return undefined;
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : undefined;
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

/** Compares digests, which have one length, in constant time. */
function isToken(header: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
