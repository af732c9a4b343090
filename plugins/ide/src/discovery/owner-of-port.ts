import {readFileSync} from 'node:fs';

/**
 * Local addresses that accept a connection to 127.0.0.1, the closest first, as the tables show them on machines of
 * either byte order.
 */
const ADDRESSES = [
  ['0100007F', '7F000001'],
  ['00000000'],
  ['0000000000000000FFFF00000100007F', '00000000000000000000FFFF7F000001'],
  ['00000000000000000000000000000000'],
] as const;
const LISTENS = '0A';

/**
 * The user whose program listens on a port of this machine, from the tables of Linux; undefined when nothing listens or
 * the tables do not say. `read` gives a table of the system.
 */
export function ownerOfPort(port: number, read: (path: string) => string = readTable): number | undefined {
  const owners = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => listeners(read(path), port));
  const ranked = ADDRESSES.map((forms) => owners.find(({address}) => forms.some((form) => form === address)));
  return ranked.find((one) => one !== undefined)?.user;
}

function listeners(table: string, port: number): readonly {readonly address: string; readonly user: number}[] {
  return table.split('\n').flatMap((line) => {
    // sl, local_address, rem_address, st, tx_queue:rx_queue, tr:tm->when, retrnsmt, uid
    const [, local = '', , state, , , , user] = line.trim().split(/\s+/);
    const [address = '', digits = ''] = local.split(':');
    return state === LISTENS && Number.parseInt(digits, 16) === port && /^\d+$/.test(user ?? '')
      ? [{address, user: Number(user)}]
      : [];
  });
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Without IPv6, or with hidden tables, the owner is unknown.
    return '';
  }
}
