import {join} from 'node:path';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {readLock, storeName, type LockedPlugin} from '@gemini-kernel/admission';
import type {InstallScope} from '../source/installer.js';
import type {Surroundings} from '../../surroundings.js';

/** One line of a lock, with where its files are. */
export interface LockedPlace {
  readonly name: string;
  readonly scope: InstallScope;
  readonly lock: string;
  readonly locked: LockedPlugin;
  readonly root: string;
  /** Its folder in a store; a link has none. */
  readonly place?: string;
  /** Whether another scope's plugin of the same name comes before it. */
  readonly isShadowed: boolean;
}

/**
 * Every plugin of the locks that are in force, the strongest scope first: the administrator's, the project's, the
 * person's. Throws KernelError LOCK_UNREADABLE.
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
