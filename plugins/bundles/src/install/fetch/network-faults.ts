import {KernelError, messageOf} from '@gemini-kernel/kernel';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EAI_FAIL: 'the host name could not be looked up',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'it did not answer in time',
  ENETUNREACH: 'there is no network route to it',
  EHOSTUNREACH: 'there is no network route to it',
  ENETDOWN: 'the network is down',
  EIDLETIMEOUT: 'it did not answer in time',
  ECONNECTIONTIMEOUT: 'it did not answer in time',
  ERESPONSETIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** The host of an address, for display, without a password. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** KernelError INSTALL_UNREACHABLE with the cause in words. Returns a KernelError unchanged. */
export function unreachable(what: string, url: string, cause: unknown): KernelError {
  if (cause instanceof KernelError) return cause;
  return new KernelError('INSTALL_UNREACHABLE', `Cannot get ${what} from ${hostOf(url)}: ${reasonOf(cause)}.`, {
    cause,
    hint:
      'Installed plugins are unchanged. Check the network, the proxy and the registry (npm config get ' +
      'registry), then try again.',
  });
}

function reasonOf(cause: unknown): string {
  const {
    code = '',
    type = '',
    errors,
  } = (cause ?? {}) as {readonly code?: string; readonly type?: string; readonly errors?: readonly unknown[]};
  if (REASONS[code]) return REASONS[code];
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return type === 'request-timeout' || type === 'body-timeout'
    ? 'it did not answer in time'
    : messageOf(cause).replace(/\.$/, '');
}

export interface WrongStatus {
  readonly what: string;
  readonly url: string;
  readonly status: number;
  /** Whether the request had a token or a password. */
  readonly isKnown: boolean;
  readonly registry: string;
}

/** The KernelError for an answer other than 200. */
export function wrongStatus({what, url, status, isKnown}: WrongStatus): KernelError {
  const host = hostOf(url);
  if (status === 401 || status === 403) {
    const why = isKnown ? `it refuses this user (${status})` : `it requires a login (${status})`;
    return new KernelError('INSTALL_UNAUTHORISED', `Cannot get ${what} from ${host}: ${why}.`, {
      hint: `Log in with npm login --registry ${new URL('/', url).href}, or ask its operator.`,
    });
  }
  if (status === 404)
    return new KernelError('INSTALL_MISSING', `${host} has no ${what}.`, {
      hint:
        'Check the name. Some registries hide private packages until you log in: npm login --registry ' +
        `${new URL('/', url).href}`,
    });
  return new KernelError('INSTALL_UNREACHABLE', `Cannot get ${what} from ${host}: it answered ${status}.`, {
    hint: 'Installed plugins are unchanged. Try again later.',
  });
}
