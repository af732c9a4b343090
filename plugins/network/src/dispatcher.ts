import {KernelError} from '@gemini-kernel/kernel';
import type {Dispatcher} from 'undici';
import {findProxy, type Proxies, type Proxy} from './proxies.js';

// Where Node's fetch, whichever release, looks for what sends its requests.
const GLOBAL = Symbol.for('undici.globalDispatcher.1');

type Dispatch = Dispatcher['dispatch'];

interface Dispatching {
  readonly dispatch: Dispatch;
}

/** What sends the requests of one place. */
export interface Sender {
  /** For `fetch`, as its `dispatcher`; undefined where Node's own does. */
  readonly dispatcher: Dispatching | undefined;
  close(): Promise<void>;
}

/**
 * Creates a dispatcher that uses proxies and waits for an answer until the signal of the request aborts. Changes
 * nothing global. Throws KernelError PROXY_UNSUPPORTED.
 */
export async function createSender(proxies: Proxies): Promise<Sender> {
  const holder = globalThis as {readonly [GLOBAL]?: Dispatching};
  // Node makes its own on first use.
  new Headers();
  const named = proxies.https ?? proxies.http;
  const hasBuiltIn = holder[GLOBAL] !== undefined;
  if (!hasBuiltIn && named)
    throw new KernelError(
      'PROXY_UNSUPPORTED',
      `${named.variable} names a proxy, but this release of Node cannot use it.`,
      {hint: `Use another release of Node, or unset ${named.variable}.`},
    );
  if (!hasBuiltIn) return {dispatcher: undefined, close: () => Promise.resolve()};
  const agents = named ? await createAgents(proxies) : undefined;
  const dispatch: Dispatch = (options, handler) => {
    const proxy = agents && findProxy(String(options.origin), proxies);
    const agent = (proxy && agents?.get(proxy)) ?? holder[GLOBAL];
    if (!agent) throw new Error('The network service has been shut down.');
    // A model may think, and a local machine may read, for longer than the five minutes after which fetch fails.
    return agent.dispatch({...options, headersTimeout: 0, bodyTimeout: 0}, handler);
  };
  return {
    dispatcher: {dispatch},
    async close() {
      await Promise.all([...(agents?.values() ?? [])].map((agent) => agent.destroy()));
    },
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
