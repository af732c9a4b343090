import {isLoopback, showProxy, type Proxy} from './proxies.js';

/** The description of an error of `fetch`. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
  readonly isFinal?: boolean;
}

interface Coded extends Error {
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
  /** What OpenSSL says, without where in its sources it says it. */
  readonly reason?: unknown;
  /** The address that was tried. */
  readonly address?: unknown;
  readonly socket?: {readonly bytesRead?: number} | null;
}

const TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;
/** The server's certificate is not trusted; this does not change with a retry. */
const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;
const OUT_OF_DATE = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'];
const NEW_CERTIFICATE = 'Check the clock of this machine. If it is right, the server needs a new certificate.';
const OTHER_CERTIFICATE = 'The certificate belongs to another host: check the address.';
const OF_ANOTHER_HOST = ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'];
/** Bytes that are not TLS; which code appears depends on the release of OpenSSL. */
const NOT_TLS = [
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_RECORD_LAYER_FAILURE',
  'ERR_SSL_HTTP_REQUEST',
];

/** Describes an error of `fetch`. */
export function explainFault(url: string, error: unknown, proxy: Proxy | undefined): Fault {
  const innermost = findInnermost(error);
  const code = typeof innermost.code === 'string' ? innermost.code : undefined;
  const {host, protocol} = new URL(url);
  const through = proxy ? ` through the proxy ${showProxy(proxy)} (${proxy.variable})` : '';
  const isWrongTls = code !== undefined && NOT_TLS.includes(code);
  const words = isWrongTls ? 'https is not spoken there' : wordsOf(innermost, code);
  const direct = proxy === undefined ? hintWithoutProxy(innermost, protocol, isWrongTls) : undefined;
  return {
    message: `The connection to ${host}${through} failed: ${words}.`,
    hint: direct ?? hintFor(isWrongTls ? undefined : code, proxy),
    ...(isWrongTls || isNobody(innermost) || (code !== undefined && CERTIFICATE.test(code)) ? {isFinal: true} : {}),
  };
}

/** Whether nothing on this machine listens there. */
function isNobody({code, address}: Coded): boolean {
  return code === 'ECONNREFUSED' && typeof address === 'string' && isLoopback(address);
}

function hintWithoutProxy(fault: Coded, protocol: string, isWrongTls: boolean): string | undefined {
  const hint = hintForProtocol(fault, protocol, isWrongTls);
  return hint ?? (isNobody(fault) ? 'Nothing listens there. Start the server, or check its address.' : undefined);
}

function wordsOf({message, reason}: Coded, code: string | undefined): string {
  const words = (typeof reason === 'string' ? reason : message).trim().replace(/\.$/, '');
  // The system's codes are searchable; those of the library are not useful.
  return code === undefined || code.startsWith('UND_') || words.includes(code) ? words : `${words} (${code})`;
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

/** A hint for an address that uses http instead of https or the other way round, if that can be seen. */
function hintForProtocol({code, name, socket}: Coded, protocol: string, isWrongTls: boolean): string | undefined {
  if (isWrongTls) return 'Check the port. If the server speaks plain http, start its address with http://.';
  // A server of https closes the connection without a handshake, or answers with bytes that are not HTTP.
  const hangsUp = code === 'UND_ERR_SOCKET' && socket?.bytesRead === 0;
  // Its code (HPE_…) is not there on every release of Node.
  if (protocol === 'http:' && (hangsUp || name === 'HTTPParserError'))
    return 'Check the port. If the server speaks https, start its address with https://.';
  return undefined;
}

function hintFor(code: string | undefined, proxy: Proxy | undefined): string {
  if (code !== undefined && OUT_OF_DATE.includes(code)) return NEW_CERTIFICATE;
  if (code !== undefined && OF_ANOTHER_HOST.includes(code)) return OTHER_CERTIFICATE;
  if (code !== undefined && TLS.test(code))
    return 'If your organisation inspects connections, set NODE_EXTRA_CA_CERTS to its certificate file.';
  if (proxy) return `Check ${proxy.variable}. Hosts in NO_PROXY bypass the proxy.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Check the network connection and the host name. Behind a proxy, set HTTPS_PROXY.';
  if (code === 'ECONNREFUSED') return 'Check that the server is running and the address is right.';
  return 'Check the network connection and try again.';
}
