import {KernelError, messageOf} from '@gemini-kernel/kernel';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'nobody knows the name of the host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EAI_FAIL: 'the name of the host could not be looked up',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it broke the connection off',
  EPIPE: 'it broke the connection off',
  ETIMEDOUT: 'it did not answer in time',
  ENETUNREACH: 'there is no way to it on the network',
  EHOSTUNREACH: 'there is no way to it on the network',
  ENETDOWN: 'the network is down',
  EIDLETIMEOUT: 'it did not answer in time',
  ECONNECTIONTIMEOUT: 'it did not answer in time',
  ERESPONSETIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by somebody unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by somebody unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by somebody unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** The host of an address, as a person knows it; no password shows. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** KernelError INSTALL_UNREACHABLE with the cause in words. One that is a KernelError already is given back. */
export function unreachable(what: string, url: string, cause: unknown): KernelError {
  if (cause instanceof KernelError) return cause;
  return new KernelError('INSTALL_UNREACHABLE', `Cannot get ${what} from ${hostOf(url)}: ${reasonOf(cause)}.`, {
    cause,
    hint:
      'What is installed stays as it is. Check the network, the proxy and the registry (npm config get registry), ' +
      'then try again.',
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
  /** Whether a token or a password went along. */
  readonly isKnown: boolean;
  readonly registry: string;
}

/** The KernelError that an answer other than 200 stands for. */
export function wrongStatus({what, url, status, isKnown}: WrongStatus): KernelError {
  const host = hostOf(url);
  if (status === 401 || status === 403) {
    const why = isKnown ? `it does not let this user (${status})` : `it wants to know who asks (${status})`;
    return new KernelError('INSTALL_UNAUTHORISED', `Cannot get ${what} from ${host}: ${why}.`, {
      hint: `Log in with npm login --registry ${new URL('/', url).href}, or ask whoever runs it.`,
    });
  }
  if (status === 404)
    return new KernelError('INSTALL_MISSING', `${host} has no ${what}.`, {
      hint:
        'Check the name. Private packages want a login on some registries before they are there: npm login ' +
        `--registry ${new URL('/', url).href}`,
    });
  return new KernelError('INSTALL_UNREACHABLE', `Cannot get ${what} from ${host}: it answered ${status}.`, {
    hint: 'What is installed stays as it is. Try again later.',
  });
}
