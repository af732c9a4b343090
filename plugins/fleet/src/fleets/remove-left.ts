import {lstat, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {ifMissing} from '../queue/if-missing.js';

export interface Removed {
  readonly path: string;
  readonly bytes: number;
}

/** Removes the checkouts in a folder but those that are still needed. */
export async function removeCheckouts(folder: string, needed: ReadonlySet<string>): Promise<readonly Removed[]> {
  const names = (await readdir(folder).catch(ifMissing)) ?? [];
  return removeAll(
    folder,
    names.filter((name) => !needed.has(name)),
  );
}

/** Removes mirrors, once no checkout has its repository in one. Throws KernelError FLEET_UNWRITABLE while one does. */
export async function removeMirrors(folder: string, works: string): Promise<readonly Removed[]> {
  const fleets = (await readdir(join(works, 'work')).catch(ifMissing)) ?? [];
  for (const fleet of fleets) {
    const left = await readdir(join(works, 'work', fleet));
    if (left.length === 0) continue;
    throw new KernelError('FLEET_UNWRITABLE', `The fleet ${fleet} has ${left.length} checkouts that need mirrors.`, {
      hint: 'Finish or cancel its tasks first.',
    });
  }
  const names = (await readdir(folder).catch(ifMissing)) ?? [];
  return removeAll(
    folder,
    names.filter((name) => name.endsWith('.git')),
  );
}

async function removeAll(folder: string, names: readonly string[]): Promise<readonly Removed[]> {
  const removed: Removed[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const bytes = await sizeOf(path);
    await rm(path, {recursive: true, force: true});
    removed.push({path, bytes});
  }
  return removed;
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(ifMissing);
  if (!found?.isDirectory()) return found?.size ?? 0;
  let sum = 0;
  for (const name of await readdir(path)) sum += await sizeOf(join(path, name));
  return sum;
}
