import {request as requestHttp} from 'node:http';
import {request as requestHttps} from 'node:https';
import type {LookupFunction} from 'node:net';
import type {Resolved} from './judge-address.js';

export interface Posted {
  readonly url: string;
  /** Where to connect, and nowhere else. */
  readonly addresses: readonly Resolved[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** The status that a receiver answers with. Follows no redirect, and reads no more than the head of the answer. */
export function post({url, addresses, headers, body, signal}: Posted): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {method: 'POST', agent: false, headers, lookup: pinTo(addresses), signal}, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    request.on('error', reject).end(body);
  });
}

/** A look-up that knows the answer. */
function pinTo(addresses: readonly Resolved[]): LookupFunction {
  return (_, {all}, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
}
