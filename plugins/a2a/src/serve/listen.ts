import {once} from 'node:events';
import {createServer, type RequestListener, type Server} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import {isIP, type AddressInfo} from 'node:net';
import type {X509Certificate} from 'node:crypto';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Tls} from './read-tls.js';

/** Where a server listens, and as what others know it. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
  /** The address that others use, where something is in front of the server. */
  readonly url?: string | undefined;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[?::1\]?)$/i;
const HOST = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Whether a host is this machine, which no other one reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Begins to listen. Throws KernelError PEER_SERVE_INVALID. */
export async function listen(answer: RequestListener, {host, port, tls}: Listening): Promise<Server> {
  const server = tls ? createTlsServer(optionsOf(tls), answer) : createServer(answer);
  server.listen(port, bare(host));
  await once(server, 'listening').catch((cause: unknown) => {
    throw new KernelError('PEER_SERVE_INVALID', `Cannot listen at ${host}:${port}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose another port, or leave --port out for a free one.',
    });
  });
  return server;
}

/** The address in the card. */
export function addressOf(server: Server, {host, tls, url}: Listening): string {
  if (url !== undefined) return url.replace(/\/$/, '');
  const {port} = server.address() as AddressInfo;
  const isEverywhere = EVERYWHERE.has(host);
  const certified = tls && (isEverywhere || isLoopback(host)) ? nameIn(tls.certificate) : undefined;
  const name = certified ?? (isEverywhere ? '127.0.0.1' : bare(host));
  return `${tls ? 'https' : 'http'}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** Tells whether a `Host` is a name of the server: of this machine, in its certificate, or the one it was given. */
export function ownHosts({tls, url}: Listening): (host: string) => boolean {
  const given = url === undefined ? undefined : new URL(url).host;
  return (host) => {
    if (HOST.test(host) || host === given) return true;
    if (!tls || !URL.canParse(`https://${host}`)) return false;
    const name = new URL(`https://${host}`).hostname;
    const {certificate} = tls;
    return (isIP(bare(name)) === 0 ? certificate.checkHost(name) : certificate.checkIP(bare(name))) !== undefined;
  };
}

/** A certificate is asked for, and who shows none can have a token; with an authority, one of its own is needed. */
function optionsOf({cert, key, ca}: Tls): object {
  return {cert, key, requestCert: true, rejectUnauthorized: ca !== undefined, ...(ca === undefined ? {} : {ca})};
}

/** An address of IPv6 without the brackets that addresses of the web have. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** The first whole name that a certificate is for, else its first address. */
function nameIn({subjectAltName = ''}: X509Certificate): string | undefined {
  const [, name] = /DNS:([^*,\s]+)/.exec(subjectAltName) ?? [];
  return name ?? /IP Address:([^,\s]+)/.exec(subjectAltName)?.[1];
}
