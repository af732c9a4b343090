import {existsSync} from 'node:fs';
import type {ContainerMount, ContainerOptions} from './container-options.js';
import type {Entering} from './live-enclosure.js';

/** What settings of the person and of the administrator say about a container. */
export interface Said {
  readonly image?: unknown;
  readonly networkAccess?: unknown;
  /** The folders that settings let commands read. */
  readonly allowed: readonly ContainerMount[];
}

export async function readSaid({service}: Pick<Entering, 'service'>): Promise<Said> {
  const settings = await service('settings');
  const [given, paths] = await Promise.all(
    ['tools.sandbox', 'tools.sandboxAllowedPaths'].map((key) => settings.getApart(key)),
  );
  const said: {readonly allowedPaths?: unknown} = typeof given === 'object' && given !== null ? given : {};
  return {...said, allowed: allowed([said.allowedPaths, paths])};
}

function allowed(lists: readonly unknown[]): readonly ContainerMount[] {
  return lists
    .flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    .filter((path): path is string => typeof path === 'string' && path.startsWith('/') && existsSync(path))
    .map((path) => ({from: path, to: path, rights: 'ro'}));
}

/** On Linux files of a container belong to its user, so that it is the person's unless the person is root. */
export function userOf(
  {environment: {platform}, program: {user, group}}: Entering,
  {isOwnUser = platform === 'linux'}: ContainerOptions,
): {readonly user?: {readonly id: number; readonly group: number}} {
  if (!isOwnUser || user === undefined || group === undefined || user === 0) return {};
  return {user: {id: user, group}};
}
