import type {Mount, Plan} from '../contract.js';

/** What holds for every confined program: no namespace of the machine, no right, and an end with gemini. */
export const ISOLATION: readonly string[] = [
  ...['--unshare-all', '--new-session', '--die-with-parent'],
  ...['--cap-drop', 'ALL'],
];

/** What the starter needs to hide files; it gives these rights up before it becomes the program. */
export const HIDING: readonly string[] = [
  ...['--uid', '0', '--gid', '0'],
  ...['SYS_ADMIN', 'SETPCAP', 'SETFCAP'].flatMap((right) => ['--cap-add', `CAP_${right}`]),
];

/** The arguments of bubblewrap for a plan. `empty` is an empty file; the starter hides files later. */
export function bwrapArguments(
  {mounts, network}: Pick<Plan, 'mounts' | 'network'>,
  empty: string,
  isHiding = false,
): readonly string[] {
  return [
    ...ISOLATION,
    ...(network.reach === 'all' ? ['--share-net'] : []),
    ...mounts.flatMap((mount) => argumentsOf(mount, empty)),
    // The starter does it, because it must write what users are called before.
    ...(isHiding ? [] : ['--remount-ro', '/proc']),
  ];
}

/** What comes after every mount: folders that bubblewrap makes on the way to one would belong to the program. */
export function closingArguments({mounts}: Plan): readonly string[] {
  return mounts.some(({kind, path}) => kind === 'empty' && path === '/') ? ['--remount-ro', '/'] : [];
}

function argumentsOf({kind, path, source = path}: Mount, empty: string): readonly string[] {
  switch (kind) {
    case 'read':
      return ['--ro-bind', source, path];
    case 'write':
    case 'private':
      return ['--bind', source, path];
    case 'fresh':
      return ['--perms', '0755', '--tmpfs', path];
    case 'empty':
      // Cheaper than to mount it again as read-only: each such change makes bubblewrap read the table of mounts.
      return ['--perms', '0555', '--tmpfs', path];
    case 'masked':
      return ['--ro-bind', empty, path];
    case 'system':
      return path === '/proc' ? ['--proc', path] : ['--dev', path];
  }
}
