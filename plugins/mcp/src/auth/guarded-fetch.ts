import {BlockList, isIP} from 'node:net';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const MOST_REDIRECTS = 5;

/**
 * The fetch for authorization: a server names the addresses, so they must be https, and outside of private networks
 * unless the server itself is in one. Redirects are followed by the same rule.
 */
export function guardFetch(server: string, fetch: Fetch): Fetch {
  const home = new URL(server);
  return async (input, init) => {
    let url = new URL(input);
    for (let hops = 0; ; hops += 1) {
      checkAddress(url, home);
      const response = await fetch(url, {...init, redirect: 'manual'});
      const next = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || next === null) return response;
      // What is posted holds secrets; it goes where it was sent, and nowhere else.
      if ((init?.method ?? 'GET').toUpperCase() !== 'GET' || hops === MOST_REDIRECTS)
        throw new Error(`${url.host} redirects to ${new URL(next, url).host}, which is not followed`);
      await response.body?.cancel();
      url = new URL(next, url);
    }
  };
}

/** Throws when an address that a server named may not be used. */
export function checkAddress(url: URL, home: URL): void {
  const here = isLoopback(url.hostname);
  if (here && isLoopback(home.hostname)) return;
  if (url.protocol !== 'https:') throw new Error(`the address ${url.origin} for authorization is not https`);
  if ((here || isPrivate(url.hostname)) && url.hostname !== home.hostname)
    throw new Error(`the address ${url.origin} for authorization is in a private network, the server is not`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host);
}

/** Networks that are private, of this link, or of nothing. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['224.0.0.0/3', '::/128', '::1/128', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
];

/** Whether a host is an address in one of them. A URL writes all forms of an address alike. */
function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return isIP(address) !== 0 && privateNetworks().check(address, family);
}

function privateNetworks(): BlockList {
  const list = new BlockList();
  for (const network of PRIVATE) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
