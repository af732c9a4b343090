import {KernelError} from '@gemini-kernel/kernel';
import {grantOf, readHostRule} from './host-rules.js';

/** A secret that the exit puts into requests to one host. */
export interface Credential {
  readonly host: string;
  readonly port: number;
  /** The variable of gemini that has it. No confined program gets that variable. */
  readonly variable: string;
  readonly header: string;
  readonly prefix: string;
}

/** As a setting has it. */
export interface CredentialSetting {
  readonly host: string;
  readonly variable: string;
  readonly header?: string;
  readonly prefix?: string;
}

const KEY = 'tools.sandboxCredentials';
const SECURE = 443;
const PLAIN = 80;
/** What says how a request is sent, not who sends it. */
const OF_TRANSPORT = /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/** Throws KernelError SANDBOX_GRANT_INVALID for a host or a header that cannot be meant. */
export function readCredentials(given: readonly CredentialSetting[]): readonly Credential[] {
  return given.map(({host, variable, header = 'authorization', prefix}) => {
    const rule = readHostRule(host);
    if (!rule || rule.host.startsWith('*'))
      throw invalid(`names the host "${host}", which is not one host.`, 'Write a name such as registry.example.com.');
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(header) || OF_TRANSPORT.test(header))
      throw invalid(`names the header "${header}", which cannot hold a secret.`, 'Write authorization or x-api-key.');
    const before = prefix ?? (header.toLowerCase() === 'authorization' ? 'Bearer ' : '');
    return {host: rule.host, port: rule.port ?? SECURE, variable, header, prefix: before};
  });
}

/** The one for a request that is not encrypted on its way to the exit; undefined when there is none. */
export function findCredential(
  credentials: readonly Credential[],
  {host, port}: {readonly host: string; readonly port: number},
): Credential | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return credentials.find((one) => one.host === name && (port === one.port || (port === PLAIN && one.port === SECURE)));
}

/** The variables whose secrets a grant of a host lets the exit send: also by requests other than the one that asks. */
export function secretsFor(credentials: readonly Credential[], grant: string): readonly string[] {
  const names = credentials.filter(({host, port}) => grantOf(host, port) === grant).map(({variable}) => variable);
  return [...new Set(names)];
}

/** What stands behind the name of the header, or why there is nothing, as a sentence. */
export function valueOf(
  {variable, prefix}: Credential,
  variables: Readonly<Record<string, string | undefined>>,
): {readonly value: string} | {readonly fault: string} {
  const secret = variables[variable]?.trim();
  if (!secret) return {fault: `the variable ${variable}, which ${KEY} names, is not set.`};
  const value = prefix + secret;
  return /^[\t\x20-\x7e]+$/.test(value)
    ? {value}
    : {fault: `the variable ${variable}, which ${KEY} names, has letters that no header can have.`};
}

function invalid(fault: string, hint: string): KernelError {
  return new KernelError('SANDBOX_GRANT_INVALID', `${KEY} ${fault}`, {hint});
}
