import {KernelError} from '@gemini-kernel/kernel';

/** A proxy, and the variable that names it. */
export interface Proxy {
  readonly url: URL;
  readonly variable: string;
}

/** Which proxy is for which address. */
export interface Proxies {
  readonly http?: Proxy;
  readonly https?: Proxy;
  readonly exceptions: readonly Exception[];
}

/** An entry of NO_PROXY. */
export interface Exception {
  /** Lower case; `*` = every host. */
  readonly host: string;
  readonly port?: string;
  /** Hosts below it are meant too. */
  readonly isSuffix: boolean;
}

/**
 * For each kind of address the variables that count, the first one set first. Programs that know one variable only mean
 * all of their traffic by it.
 */
const ORDER = {
  https: ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'],
  http: ['HTTP_PROXY', 'http_proxy'],
} as const;
const EXCEPTIONS = ['NO_PROXY', 'no_proxy'];

/** Reads the proxies that variables name. Throws KernelError PROXY_INVALID. */
export async function readProxies(get: (name: string) => Promise<string | undefined>): Promise<Proxies> {
  const first = async (
    names: readonly string[],
  ): Promise<{readonly variable: string; readonly value: string} | undefined> => {
    for (const variable of names) {
      const value = (await get(variable))?.trim();
      if (value) return {variable, value};
    }
    return undefined;
  };
  const [http, https, exceptions] = [await first(ORDER.http), await first(ORDER.https), await first(EXCEPTIONS)];
  return {
    ...(http ? {http: parseProxy(http.variable, http.value)} : {}),
    ...(https ? {https: parseProxy(https.variable, https.value)} : {}),
    exceptions: parseExceptions(exceptions?.value ?? ''),
  };
}

function parseProxy(variable: string, value: string): Proxy {
  // Many write the host alone.
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return {url, variable};
  const reason = url ? `${url.protocol.replace(':', '')} proxies are not supported` : 'it is not an address';
  throw new KernelError('PROXY_INVALID', `${variable} does not name a usable proxy: ${reason}.`, {
    hint: `Set ${variable} to an address such as http://proxy.example:8080, or unset it.`,
  });
}

/** The entries of NO_PROXY, which commas or spaces separate. */
export function parseExceptions(text: string): readonly Exception[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      const bare = host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
      return {host: bare, isSuffix: !/^[\d.]+$|:/.test(bare), ...(port === undefined ? {} : {port})};
    });
}

/** The proxy for an address; undefined = none. This machine itself is reached without one. */
export function findProxy(address: string, {http, https, exceptions}: Proxies): Proxy | undefined {
  const {protocol, hostname, port} = new URL(address);
  const proxy = protocol === 'https:' ? https : protocol === 'http:' ? http : undefined;
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (!proxy || isLoopback(host)) return undefined;
  const actual = port || (protocol === 'https:' ? '443' : '80');
  const isExcepted = exceptions.some(
    (one) =>
      (one.host === '*' || one.host === host || (one.isSuffix && host.endsWith(`.${one.host}`))) &&
      (one.port === undefined || one.port === actual),
  );
  return isExcepted ? undefined : proxy;
}

/** Whether a host, without brackets, is this machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/.test(host);
}

/** The address of a proxy as people may see it. */
export function showProxy({url}: Proxy): string {
  return url.username || url.password ? `${url.protocol}//***@${url.host}` : `${url.protocol}//${url.host}`;
}
