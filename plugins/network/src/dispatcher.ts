import {KernelError} from '@gemini-kernel/kernel';
import type {Dispatcher} from 'undici';
import {findProxy, type Proxies, type Proxy} from './proxies.js';

// Where Node's fetch, whichever release, looks for what sends its requests.
const GLOBAL = Symbol.for('undici.globalDispatcher.1');

type Dispatch = Dispatcher['dispatch'];

interface Dispatching {
  readonly dispatch: Dispatch;
  close?(): Promise<void>;
}

/**
 * Makes `fetch` send its requests through proxies and wait as long as its signal lets it; gives what undoes that.
 * Throws KernelError PROXY_UNSUPPORTED.
 */
export async function useProxies(proxies: Proxies): Promise<() => Promise<void>> {
  const holder = globalThis as {[GLOBAL]?: Dispatching};
  // Node makes its own on first use.
  new Headers();
  const before = holder[GLOBAL];
  const named = proxies.https ?? proxies.http;
  if (!before && named)
    throw new KernelError(
      'PROXY_UNSUPPORTED',
      `${named.variable} names a proxy, but this release of Node cannot be made to use it.`,
      {hint: `Run another release of Node, or unset ${named.variable}.`},
    );
  if (!before) return () => Promise.resolve();
  const agents = named ? await createAgents(proxies) : undefined;
  const dispatch: Dispatch = (options, handler) => {
    const proxy = agents && findProxy(String(options.origin), proxies);
    const agent = (proxy && agents?.get(proxy)) ?? before;
    // A model may think, and a machine of one's own may read, for longer than the five minutes after which fetch gives
    // up by itself.
    return agent.dispatch({...options, headersTimeout: 0, bodyTimeout: 0}, handler);
  };
  const ours: Dispatching = {dispatch};
  holder[GLOBAL] = ours;
  return async () => {
    if (holder[GLOBAL] === ours) holder[GLOBAL] = before;
    await Promise.all([...(agents?.values() ?? [])].map((agent) => agent.destroy()));
  };
}

async function createAgents({http, https}: Proxies): Promise<ReadonlyMap<Proxy, Dispatcher>> {
  const {ProxyAgent} = await import('undici');
  // What is not encrypted is asked of the proxy itself: many let only encrypted connections through as they are.
  const create = ({url}: Proxy): Dispatcher => new ProxyAgent({uri: url.href, proxyTunnel: false, ...tokenOf(url)});
  return new Map([http, https].flatMap((proxy) => (proxy ? [[proxy, create(proxy)] as const] : [])));
}

function tokenOf({username, password}: URL): {readonly token?: string} {
  if (username === '' && password === '') return {};
  return {
    token: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
  };
}
