import {ToolError} from '@gemini-kernel/kernel';
import type {RemoteAuth, RemoteLogin} from '../contract.js';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface Guard {
  readonly fetch: Fetch;
  /** Only requests to it have the login. */
  readonly origin: string;
  readonly auth?: RemoteAuth | undefined;
  readonly login?: RemoteLogin | undefined;
  /** The place of the prompt in a trace, as W3C Trace Context writes it. */
  readonly traceparent?: string | undefined;
  /** What the card says about logins, as a sentence, for the error when the agent wants one. */
  readonly wants?: string;
  /** Ends every request. */
  readonly signal: AbortSignal;
}

/** Whether an address may be asked: encrypted, or on this machine. */
export function isSafeAddress({protocol, hostname}: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

/**
 * Requests to one remote agent, with its login. None goes to another place: what a card or a redirection names counts
 * for nothing. Throws ToolError REMOTE_AGENT_FAILED.
 */
export function remoteFetch({fetch, origin, auth, login, traceparent, wants, signal}: Guard): Fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== origin)
      throw new ToolError('REMOTE_AGENT_FAILED', `A request to ${url.origin} was not made: the agent is at ${origin}.`);
    const headers = new Headers(request.headers);
    if (auth) headers.set(auth.header, auth.value);
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    const signals = AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]);
    const answer = await (login
      ? login({url: url.href, init: await repeatable(request, {headers, signal: signals})}, fetch)
      : fetch(new Request(request, {headers, redirect: 'manual', signal: signals})));
    const error = errorOf(answer, url, {wants, hasLogin: auth !== undefined || login !== undefined});
    if (!error) return answer;
    await answer.body?.cancel();
    throw error;
  };
}

interface Known {
  readonly wants: string | undefined;
  readonly hasLogin: boolean;
}

/** What is wrong with an answer before anyone reads it. */
function errorOf({status}: Response, url: URL, {wants, hasLogin}: Known): ToolError | undefined {
  if (status >= 300 && status < 400)
    return new ToolError('REMOTE_AGENT_FAILED', `${url.href} leads elsewhere (${status}), which is not followed.`);
  if ((status !== 401 && status !== 403) || wants === undefined) return undefined;
  const why = hasLogin ? 'it does not take the login that was sent' : 'it wants a login, and none was sent';
  return new ToolError('REMOTE_AGENT_FAILED', `${url.origin} answers ${status}: ${why}. ${wants}`);
}

/** A request whose body can be sent twice. */
async function repeatable(
  request: Request,
  {headers, signal}: Pick<Request, 'headers' | 'signal'>,
): Promise<RequestInit> {
  const {method} = request;
  const body = method === 'GET' || method === 'HEAD' ? {} : {body: await request.text()};
  return {method, headers, ...body, redirect: 'manual', signal};
}
