import {join} from 'node:path';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {readLock, storeName, type LockedPlugin} from '@gemini-kernel/admission';
import type {InstallScope} from '../source/installer.js';
import type {Surroundings} from '../../surroundings.js';

/** One entry of a lock, and where its files are. */
export interface LockedPlace {
  readonly name: string;
  readonly scope: InstallScope;
  readonly lock: string;
  readonly locked: LockedPlugin;
  readonly root: string;
  /** Its folder in a store; undefined for a link. */
  readonly place?: string;
  /** Whether a plugin of the same name in another scope takes precedence. */
  readonly isShadowed: boolean;
}

/**
 * Every plugin of the locks in force, strongest scope first: the administrator's, the project's, yours. Throws
 * KernelError LOCK_UNREADABLE.
 */
export async function listInstalled(
  {installs}: Pick<Surroundings, 'installs'>,
  schema: JSONSchema,
): Promise<readonly LockedPlace[]> {
  const {system, project, user} = installs;
  const scopes: readonly {readonly scope: InstallScope; readonly lock: string; readonly store: string}[] = [
    {scope: 'system', ...system},
    {scope: 'project', lock: project.lock, store: user.store},
    {scope: 'user', ...user},
  ];
  const seen = new Set<string>();
  const found: LockedPlace[] = [];
  for (const {scope, lock, store} of scopes) {
    for (const [name, locked] of Object.entries((await readLock(lock, schema))?.plugins ?? {})) {
      const place = locked.source.type === 'link' ? undefined : join(store, storeName(name, locked));
      const root = locked.source.type === 'link' ? locked.source.location : join(place ?? '', 'node_modules', name);
      found.push({name, scope, lock, locked, root, ...(place ? {place} : {}), isShadowed: seen.has(name)});
      seen.add(name);
    }
  }
  return found;
}
