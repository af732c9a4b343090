import {request as requestPlain} from 'node:http';
import {request as requestSecure} from 'node:https';
import type {Duplex} from 'node:stream';
import type {Proxy} from './proxies.js';

/** Has a proxy connect to the host of an address; for protocols that `fetch` does not speak. */
export async function openTunnel(address: string, {url}: Proxy, signal: AbortSignal): Promise<Duplex> {
  const {hostname, port, protocol} = new URL(address);
  const target = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  const {username, password} = url;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    credentials === ':' ? {} : {'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`};
  return new Promise((resolve, reject) => {
    const request = send(url, {method: 'CONNECT', path: target, headers: {host: target, ...authorization}, signal});
    request.on('error', reject);
    request.on('connect', ({statusCode = 0}, socket, head) => {
      // The server may have spoken first.
      if (head.length > 0) socket.unshift(head);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy answered ${statusCode} to CONNECT ${target}.`));
    });
    request.end();
  });
}
