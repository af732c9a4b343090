import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

/** Where a companion listens. */
const ENDPOINT = '/mcp';

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/**
 * Checks where a request comes from and its token. Turns away web pages (by Origin, or by a host name that resolves
 * here) and requests without the token.
 */
export function refuseRequest(
  {headers, url = ''}: IncomingMessage,
  {port, token}: {readonly port: number; readonly token: string},
): Refusal | undefined {
  if (headers.origin !== undefined)
    return {status: 403, sentence: `Requests from web pages are not answered: ${headers.origin}.`};
  const host = headers.host?.toLowerCase() ?? '';
  if (!['127.0.0.1', 'localhost', 'host.docker.internal'].some((name) => host === `${name}:${port}`))
    return {status: 403, sentence: `This server is not ${host}.`};
  if (url.split('?')[0] !== ENDPOINT) return {status: 404, sentence: `The only endpoint here is ${ENDPOINT}.`};
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token)
    ? undefined
    : {status: 401, sentence: 'The token is missing or wrong.'};
}

/** Compares two texts in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
