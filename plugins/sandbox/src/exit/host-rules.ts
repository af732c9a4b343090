import {BlockList, isIP} from 'node:net';

/** A host that programs may connect to: a name, `*.` and a name, or an address; with its port if that is another. */
export interface HostRule {
  readonly host: string;
  /** Without a port: those of the web. */
  readonly port?: number;
}

const WEB = [80, 443];

/** Reads `packages.example.com`, `*.example.com:8443` or `[::1]:8080`; undefined for anything else. */
export function readHostRule(text: string): HostRule | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+))(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  const host = (bracketed ?? plain ?? (isIP(text.trim()) === 6 ? text.trim() : '')).toLowerCase();
  const isKnown = isIP(host) > 0 || /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host);
  if (!isKnown || (port !== undefined && Number(port) > 65_535)) return undefined;
  return {host, ...(port === undefined ? {} : {port: Number(port)})};
}

/** The rule that names a host and a port, and nothing else; undefined for what is not a host. */
export function grantOf(host: string, port: number): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const bare = isIP(name) === 6 ? `[${name}]` : name;
  const text = WEB.includes(port) ? bare : `${bare}:${port}`;
  const rule = readHostRule(text);
  return rule?.host === name && !name.startsWith('*') ? text : undefined;
}

/** Whether a rule names a host and a port. */
export function isNamed(rules: readonly HostRule[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.some((rule) => {
    const isPort = rule.port === undefined ? WEB.includes(port) : rule.port === port;
    const isHost = rule.host.startsWith('*.') ? name.endsWith(rule.host.slice(1)) : rule.host === name;
    return isPort && isHost;
  });
}

/**
 * Whether an address is on this machine, in a network that is not public, or answers with the secrets of a cloud. Such
 * an address counts only when a rule names the address itself, or `localhost`.
 */
export function isInner(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return true;
  const [family, ranges] = version === 4 ? (['ipv4', V4] as const) : (['ipv6', V6] as const);
  const list = new BlockList();
  for (const range of ranges) {
    const [start = '', bits = ''] = range.split('/');
    list.addSubnet(start, Number(bits), family);
  }
  return list.check(address, family);
}

const V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4'],
  ...['240.0.0.0/4', '168.63.129.16/32'],
];
/** All but 2000::/3, which is public, and in that the special ranges: some hold addresses of version 4. */
const V6 = ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
