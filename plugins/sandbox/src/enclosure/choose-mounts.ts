import {KernelError} from '@gemini-kernel/kernel';
import {isWithin} from '../linux/is-within.js';
import type {ContainerMount} from './container-options.js';
import type {LxcState} from './lxc-state.js';

type Place = ContainerMount & {readonly device?: string};

/**
 * Which mounts a container lacks, the outer ones first. When a device ends, lxc removes the file or the empty folder
 * that it was mounted on: within a mount that can be written, that would be one of this machine. So nothing is mounted
 * there. Throws KernelError SANDBOX_UNAVAILABLE for what cannot be.
 */
export function chooseMounts(
  mounts: readonly ContainerMount[],
  devices: LxcState['devices'],
  container: string,
): readonly ContainerMount[] {
  const there: Place[] = Object.entries(devices).flatMap(([device, {type, source = '', path = '', readonly}]) =>
    type === 'disk' && source.startsWith('/')
      ? [{device, from: source, to: path, rights: readonly === 'true' ? ('ro' as const) : ('rw' as const)}]
      : [],
  );
  const wanted = [...new Map(mounts.map((mount) => [mount.to, mount])).values()];
  const chosen: ContainerMount[] = [];
  for (const mount of wanted.sort((a, b) => a.to.length - b.to.length)) {
    const below = there.find(({to, device}) => device !== undefined && to !== mount.to && isWithin(to, mount.to));
    const above = nearest([...there, ...chosen], mount);
    if (above && shows(above, mount)) continue;
    if (above && !isFree(above, mount)) throw taken(container, above, mount);
    if (below) throw taken(container, below, mount);
    chosen.push(mount);
  }
  return chosen;
}

/** The innermost mount that has the place. */
function nearest(places: readonly Place[], {to}: ContainerMount): Place | undefined {
  return places.filter((one) => isWithin(to, one.to)).sort((a, b) => b.to.length - a.to.length)[0];
}

/** Whether it has the same files there already, with the same rights. */
function shows({from, to, rights}: Place, mount: ContainerMount): boolean {
  return rights === mount.rights && `${from}${mount.to.slice(to.length)}` === mount.from;
}

/** Whether something can be mounted within it, and ends without harm. */
function isFree({to, rights}: Place, mount: ContainerMount): boolean {
  return to !== mount.to && rights === 'ro';
}

function taken(container: string, {device, to, rights}: Place, mount: ContainerMount): KernelError {
  const what = device === undefined ? to : `${to} (device ${device})`;
  return new KernelError(
    'SANDBOX_UNAVAILABLE',
    `lxc cannot show ${mount.to} ${nameOf(mount.rights)} in ${container}: ${what} is there, ${nameOf(rights)}.`,
    {
      hint:
        device === undefined
          ? 'Leave one of the two out, or use docker or podman.'
          : `End the session that has it, or remove it: \`lxc config device remove ${container} ${device}\`.`,
    },
  );
}

function nameOf(rights: ContainerMount['rights']): string {
  return rights === 'ro' ? 'read-only' : 'writable';
}
