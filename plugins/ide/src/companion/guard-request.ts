import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

/** Where a companion is reached. */
const ENDPOINT = '/mcp';

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/**
 * Looks at where a request comes from and what it knows: web pages (by Origin, or by a name that leads here) and who
 * has no token stay out.
 */
export function refuseRequest(
  {headers, url = ''}: IncomingMessage,
  {port, token}: {readonly port: number; readonly token: string},
): Refusal | undefined {
  if (headers.origin !== undefined)
    return {status: 403, sentence: `Requests of web pages are not answered: ${headers.origin}.`};
  const host = headers.host?.toLowerCase() ?? '';
  if (!['127.0.0.1', 'localhost', 'host.docker.internal'].some((name) => host === `${name}:${port}`))
    return {status: 403, sentence: `This is not ${host}.`};
  if (url.split('?')[0] !== ENDPOINT) return {status: 404, sentence: `There is only ${ENDPOINT} here.`};
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token)
    ? undefined
    : {status: 401, sentence: 'The token is missing or wrong.'};
}

/** Takes the same time wherever two texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
