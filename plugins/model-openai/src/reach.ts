import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Endpoint} from './endpoint.js';
import {readEventStream} from './event-stream.js';

/** A request that did not arrive, or whose answer did not start. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

interface Question {
  readonly network: Pick<Network, 'fetch'>;
  readonly signal?: AbortSignal | undefined;
  readonly body?: unknown;
}

/** Sends a request: POST when there is a body. Does not follow redirects. Throws Unreachable. */
export async function reach(
  {baseUrl, headers, key}: Endpoint,
  path: string,
  {network, signal, body}: Question,
): Promise<Response> {
  const all = {
    ...(key === undefined ? {} : {authorization: `Bearer ${key}`}),
    ...headers,
    ...(body === undefined ? {} : {'content-type': 'application/json'}),
  };
  const init = {
    method: body === undefined ? 'GET' : 'POST',
    headers: all,
    redirect: 'manual' as const,
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    ...(signal ? {signal} : {}),
  };
  return network.fetch(`${baseUrl}${path}`, init).catch((cause: unknown) => {
    throw new Unreachable(`Cannot reach ${baseUrl}.`, {cause});
  });
}

/** The pieces of an answer; a server that does not stream sends it as one. */
export async function* readData(response: Response): AsyncGenerator<string> {
  if (response.headers.get('content-type')?.includes('application/json')) yield await response.text();
  else if (response.body) yield* readEventStream(response.body);
}
