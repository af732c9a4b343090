import {showProxy, type Proxy} from './proxies.js';

interface Coded extends Error {
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
}

const TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;

/** What an error of `fetch` means. */
export function explainFault(url: string, error: unknown, proxy: Proxy | undefined): {readonly message: string; readonly hint: string} {
  const innermost = findInnermost(error);
  const code = typeof innermost.code === 'string' ? innermost.code : undefined;
  // The system's codes help whoever looks for them; those of the library say nothing to anybody.
  const words = code === undefined || code.startsWith('UND_') || innermost.message.includes(code) ? innermost.message : `${innermost.message} (${code})`;
  const {host} = new URL(url);
  const through = proxy ? ` through the proxy ${showProxy(proxy)} (${proxy.variable})` : '';
  return {message: `The connection to ${host}${through} failed: ${words.replace(/\.$/, '')}.`, hint: hintFor(code, proxy)};
}

/** `fetch` hides what happened below "fetch failed", and that below all addresses that were tried. */
function findInnermost(error: unknown): Coded {
  if (!isError(error)) return new Error(String(error));
  const inner = error.cause ?? error.errors?.[0];
  return isError(inner) ? findInnermost(inner) : error;
}

// An error of Node's own may be of another realm than this module, so that its class says nothing.
function isError(value: unknown): value is Coded {
  return typeof value === 'object' && value !== null && 'message' in value;
}

function hintFor(code: string | undefined, proxy: Proxy | undefined): string {
  if (code !== undefined && TLS.test(code)) return 'If your organisation inspects connections, name the file of its certificates in NODE_EXTRA_CA_CERTS.';
  if (proxy) return `Check ${proxy.variable}; hosts named in NO_PROXY are reached without it.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Check the connection to the network and the name of the host; behind a proxy, set HTTPS_PROXY.';
  if (code === 'ECONNREFUSED') return 'Check that the server is running and the address is right.';
  return 'Check the connection to the network and try again.';
}
