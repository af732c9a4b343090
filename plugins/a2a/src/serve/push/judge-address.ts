import {isIP} from 'node:net';
import {messageOf} from '@gemini-kernel/kernel';
import {isPublic} from '@gemini-kernel/files/addresses';

/** One address that a name has. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

export interface NotifyRules {
  /** Every address of a name. */
  resolve(name: string): Promise<readonly Resolved[]>;
  /** Hosts that a person named for the token, each with or without a port. */
  readonly hosts: readonly string[];
}

/** An address that notifications do not go to. The message is for the caller. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/**
 * The addresses to connect to for a notification. A host on the public internet needs https; any other host must be
 * named by the token, and may use http. Throws AddressRefused.
 */
export async function judgeAddress(text: string, {resolve, hosts}: NotifyRules): Promise<readonly Resolved[]> {
  const url = readAddress(text);
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const isNamed = [host, url.hostname, url.host].some((one) => hosts.includes(one));
  if (!isNamed && url.protocol !== 'https:')
    throw new AddressRefused(`${url.host} would get notifications without encryption. Use https.`);
  const found = isIP(host) === 0 ? await find(host, resolve) : [{address: host, family: isIP(host)}];
  if (!isNamed && !found.every(({address}) => isPublic(address)))
    throw new AddressRefused(
      `${url.host} is not on the public internet, and the token does not name it for notifications.`,
    );
  return found;
}

function readAddress(text: string): URL {
  const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AddressRefused('The address of notifications must be a whole https address of at most 2000 characters.');
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused('The address of notifications must not have a user name or a password.');
  return url;
}

async function find(host: string, resolve: NotifyRules['resolve']): Promise<readonly Resolved[]> {
  const found = await resolve(host).catch((cause: unknown) => {
    throw new AddressRefused(`Cannot resolve ${host}: ${messageOf(cause)}.`, {cause});
  });
  if (found.length === 0) throw new AddressRefused(`Cannot resolve ${host}: it has no address.`);
  return found;
}
