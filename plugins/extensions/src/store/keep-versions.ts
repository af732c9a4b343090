import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {ExtensionLock, LockedExtension} from './extension-lock.js';

/** Removes versions from the store that the entry does not name. */
export async function keepVersions(lock: ExtensionLock, name: string, entry: LockedExtension): Promise<void> {
  const keep = [entry, ...(entry.before ? [entry.before] : [])].map((one) => lock.folderOf(name, one));
  const folder = join(lock.folderOf(name, entry), '..');
  for (const other of await readdir(folder))
    if (!keep.includes(join(folder, other))) await rm(join(folder, other), {recursive: true, force: true});
}
