import {BlockList, isIP} from 'node:net';

/** IPv4 ranges that are not on the public internet, from the registries of special addresses. */
const SPECIAL_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Answers the machines of a cloud only, with their secrets, although it lies in a public range.
  '168.63.129.16/32',
];
/** Of IPv6, only this range is public, without the special ranges in it. */
const PUBLIC_6 = ['2000::/3'];
/** Also ranges that carry an IPv4 address, which could be any. */
const SPECIAL_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Whether an address in its usual notation is on the public internet. */
export function isPublic(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return !listOf(SPECIAL_4, 'ipv4').check(address, 'ipv4');
  if (kind !== 6 || address.includes('%')) return false;
  return listOf(PUBLIC_6, 'ipv6').check(address, 'ipv6') && !listOf(SPECIAL_6, 'ipv6').check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
