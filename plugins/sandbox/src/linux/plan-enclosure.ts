import {existsSync} from 'node:fs';
import type {EncloseRequest, Mount, Plan} from '../contract.js';
import {isWithin} from './is-within.js';
import {
  granted,
  maskSecrets,
  maskSockets,
  openRoots,
  protectRoots,
  refuseWide,
  refuseWideGrant,
  type PlanParts,
} from './make-plan.js';

export type EnclosureParts = Pick<EncloseRequest, 'roots' | 'writes' | 'read' | 'write' | 'lent' | 'hosts' | 'from'> &
  Pick<PlanParts, 'home' | 'protected' | 'made'>;

/** What every program needs to start: its libraries, the certificates, the time zone. No users, no names of hosts. */
const SYSTEM: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store', '/run/current-system'],
  ...['/etc/ld.so.cache', '/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/pki', '/etc/ca-certificates'],
  ...['/etc/localtime', '/etc/alternatives'],
];

/**
 * What an enclosed program sees, in the order in which it is mounted. Throws KernelError SANDBOX_ROOT_TOO_WIDE and
 * SANDBOX_GRANT_INVALID.
 */
export function planEnclosure(parts: EnclosureParts): Plan {
  const {roots, writes, home, read, write, lent, from, hosts} = parts;
  const grant = {from, read, write};
  for (const root of roots) refuseWide(root, home);
  refuseWideGrant(grant, home);
  const shown = [
    ...openRoots(parts, writes ? undefined : 'only reading is declared'),
    ...granted([grant]),
    ...lent.map((one): Mount => ({kind: 'read', ...one, why: from})),
  ];
  const mounts = [...ground(), ...shown];
  return {
    mounts: [
      ...mounts,
      ...(writes ? protectRoots(parts) : []),
      ...maskSecrets(parts).filter((mask) => mounts.some((one) => isOfMachine(one) && meet(mask, one))),
      // The root is empty: of what listens on this machine, only what lies in a mount is seen. A mask elsewhere would
      // make the folders on the way to it, and show their names.
      ...maskSockets([{kind: 'empty', path: '/', why: ''}], [], mounts.filter(isOfMachine)),
    ],
    network: networkOf(hosts, from),
  };
}

function ground(): readonly Mount[] {
  return [
    {kind: 'empty', path: '/', why: 'nothing of this machine but what follows'},
    ...SYSTEM.filter(existsSync).map((path): Mount => ({kind: 'read', path, why: 'programs and libraries'})),
    {kind: 'system', path: '/dev', why: 'devices that every program may use'},
    {kind: 'system', path: '/proc', why: 'the processes of the enclosure; read-only'},
    {kind: 'fresh', path: '/tmp', why: 'temporary files, in memory'},
  ];
}

function networkOf(hosts: readonly string[], why: string): Plan['network'] {
  if (hosts.length === 0) return {reach: 'none', why: 'it declares none'};
  const named = hosts.filter((host) => host !== '*').map((host) => ({host, why}));
  return {reach: 'hosts', why: 'only what it declares', hosts: named};
}

/** Whether something of this machine is seen through it. */
function isOfMachine({kind}: Mount): boolean {
  return kind === 'read' || kind === 'write';
}

/** Whether one of them lies in the other. */
function meet(mask: Mount, mount: Mount): boolean {
  return isWithin(mask.path, mount.path) || isWithin(mount.path, mask.path);
}
