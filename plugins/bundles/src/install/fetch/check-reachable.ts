import {connect} from 'node:net';
import type {NpmOptions} from '../source/read-npm-options.js';
import {unreachable} from './network-faults.js';

/** How long a person waits to learn that there is no network. */
const LIMIT_MS = 1_700;

/** Hosts that were reachable before, by the configuration that was used. */
const reached = new WeakMap<NpmOptions, Set<string>>();

/**
 * Opens and closes a connection to the host of an address, or to its proxy. Throws KernelError INSTALL_UNREACHABLE
 * with the cause, within two seconds.
 */
export async function checkReachable(
  url: string,
  options: NpmOptions,
  signal: AbortSignal,
  what: string,
): Promise<void> {
  const {hostname, port, protocol, origin} = new URL(proxyOf(url, options) ?? url);
  const known = reached.get(options) ?? new Set();
  if (known.has(origin)) return;
  const place = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : protocol.startsWith('socks') ? 1080 : 80),
  };
  await new Promise<void>((resolve, reject) => {
    const socket = connect({...place, autoSelectFamily: true});
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      act();
    };
    const onAbort = (): void => finish(() => reject(signal.reason as Error));
    const timer = setTimeout(
      () => finish(() => reject(unreachable(what, url, new Error('it did not answer in time')))),
      LIMIT_MS,
    );
    signal.addEventListener('abort', onAbort, {once: true});
    socket.once('connect', () => finish(resolve));
    socket.once('error', (error) => finish(() => reject(unreachable(what, url, error))));
  });
  reached.set(options, known.add(origin));
}

/** Chosen as npm's own library does: the configured proxy, else the one in the variables. */
function proxyOf(url: string, {httpsProxy, proxy, noProxy, proxyVariables}: NpmOptions): string | undefined {
  const {hostname, protocol} = new URL(url);
  const exceptions = noProxy && noProxy.length > 0 ? noProxy : (proxyVariables['no_proxy'] ?? '');
  const names = (typeof exceptions === 'string' ? exceptions.split(',') : exceptions).map((one) =>
    one.trim().replace(/^\*?\./, ''),
  );
  if (names.some((one) => one !== '' && (one === '*' || hostname === one || hostname.endsWith(`.${one}`))))
    return undefined;
  const {https_proxy: secure, http_proxy: plain, proxy: any} = proxyVariables;
  return httpsProxy ?? proxy ?? secure ?? (protocol === 'https:' ? undefined : (plain ?? any));
}
