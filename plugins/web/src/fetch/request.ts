import {request as requestHttp, type IncomingMessage, type RequestOptions} from 'node:http';
import {request as requestHttps} from 'node:https';
import type {LookupFunction} from 'node:net';
import {Readable} from 'node:stream';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Resolved} from '../address/judge-host.js';

/** An answer whose body is not read yet. */
export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: Readable;
}

export interface Wanted {
  readonly url: URL;
  /** Where to connect, and nowhere else. */
  readonly addresses: readonly Resolved[];
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en, *;q=0.5',
  'user-agent': 'gemini-cli',
};

/** Sends one request to the addresses that were judged. Follows no redirect, and sends no cookie. */
export async function requestDirectly({url, addresses, signal}: Wanted): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions = {agent: false, headers: HEADERS, lookup: pinTo(addresses), signal};
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end();
  });
  return {
    status: message.statusCode ?? 0,
    header: (name) => asText(message.headers[name]),
    body: message,
  };
}

/** The same through the proxy of this place, which connects on its own. */
export async function requestThroughProxy({url, signal}: Wanted, fetch: Network['fetch']): Promise<Answer> {
  const response = await fetch(url, {headers: HEADERS, redirect: 'manual', signal});
  return {
    status: response.status,
    // `fetch` has unpacked the body.
    header: (name) => (name === 'content-encoding' ? undefined : (response.headers.get(name) ?? undefined)),
    body: response.body ? Readable.fromWeb(response.body) : Readable.from([]),
  };
}

/** A look-up that knows one answer. */
function pinTo(addresses: readonly Resolved[]): LookupFunction {
  return (_, {all}, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
}

function asText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
