import {isIP} from 'node:net';
import {isPublic} from '@gemini-kernel/files/addresses';
import {messageOf, ToolError} from '@gemini-kernel/kernel';

/** One address that a name has. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Every address of a name, asked of the system once. */
export type Resolve = (name: string) => Promise<readonly Resolved[]>;

export interface HostRules {
  resolve: Resolve;
  /** Hosts that need not be public: names, `*.example.com` and addresses, each with or without a port. */
  readonly privateHosts: readonly string[];
}

/** Names that never belong to the public internet, whatever they resolve to. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa|test|invalid)$/;

/**
 * The addresses to connect to: those that were judged, so that a second look-up cannot give others. Throws ToolError
 * URL_PRIVATE or PAGE_UNREACHABLE.
 */
export async function judgeHost(
  {hostname, port}: Pick<URL, 'hostname' | 'port'>,
  rules: HostRules,
): Promise<readonly Resolved[]> {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  const isOpen = rules.privateHosts.some((one) => covers(one.toLowerCase(), host, port));
  const kind = isIP(host);
  if (kind !== 0) {
    if (!isOpen && !isPublic(host)) throw notPublic(host, 'it is an address of a private or special range');
    return [{address: host, family: kind}];
  }
  if (!isOpen && (PRIVATE_NAMES.test(host) || !host.includes('.')))
    throw notPublic(host, 'the name belongs to a private network');
  const found = await rules.resolve(host).catch((cause: unknown) => {
    throw new ToolError('PAGE_UNREACHABLE', `Cannot resolve ${host}: ${messageOf(cause)}.`, {
      cause,
      hint: 'Check the name of the host.',
    });
  });
  const bad = isOpen ? undefined : found.find(({address}) => !isPublic(address));
  if (bad) throw notPublic(host, `it resolves to ${bad.address}, an address of a private or special range`);
  if (found.length === 0) throw new ToolError('PAGE_UNREACHABLE', `Cannot resolve ${host}: it has no address.`);
  return found;
}

function covers(rule: string, host: string, port: string): boolean {
  const at = /^(.*?)(?::(\d+))?$/.exec(rule.startsWith('[') ? rule.replace(/^\[(.*)\]/, '$1') : rule);
  const isBare = isIP(rule) === 6;
  const [name, only] = isBare ? [rule, undefined] : [at?.[1] ?? rule, at?.[2]];
  if (only !== undefined && only !== port) return false;
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name;
}

function notPublic(host: string, why: string): ToolError {
  return new ToolError('URL_PRIVATE', `Cannot fetch from ${host}: ${why}.`, {
    hint: 'The user can allow the host in the setting web.privateHosts.',
  });
}
