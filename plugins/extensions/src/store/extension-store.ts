import {mkdtemp, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {isHeld, takeLock} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {hashTree} from '@gemini-kernel/admission';
import type {ExtensionLock, LockedExtension, LockedVersion} from './extension-lock.js';

interface Turn {
  readonly lock: ExtensionLock;
  readonly signal: AbortSignal;
}

const WORK = '.new-';
/** How long another installation is waited for. */
const PATIENCE_MS = 60_000;

/** Runs something while no other process changes the lock or the store. */
export async function withLock<T>({lock, signal}: Turn, act: () => Promise<T>): Promise<T> {
  const store = join(lock.folder, 'extensions');
  try {
    await makePrivateFolder(store);
  } catch (error) {
    throw new KernelError('EXTENSION_UNWRITABLE', `Cannot write to ${store}: ${messageOf(error)}.`);
  }
  const taken = await takeLock(join(store, '.lock'), {signal, patienceMs: PATIENCE_MS});
  if (!isHeld(taken))
    throw new KernelError('EXTENSION_UNWRITABLE', 'Another process is installing an extension.', {
      hint: 'Wait until it has ended, and try again.',
    });
  try {
    return await act();
  } finally {
    await taken.release();
  }
}

/** Like `withLock`, with a folder to work in, which is removed afterwards. */
export function withWork<T>(turn: Turn, act: (work: string) => Promise<T>): Promise<T> {
  return withLock(turn, async () => {
    const store = join(turn.lock.folder, 'extensions');
    // What killed installations left: only one works here at a time.
    for (const left of await readdir(store))
      if (left.startsWith(WORK)) await rm(join(store, left), {recursive: true, force: true});
    const work = await mkdtemp(join(store, WORK));
    try {
      return await act(work);
    } finally {
      await rm(work, {recursive: true, force: true});
    }
  });
}

/** Moves a tree to its place in the store. */
export async function place(lock: ExtensionLock, name: string, entry: LockedVersion, folder: string): Promise<void> {
  const target = lock.folderOf(name, entry);
  await makePrivateFolder(join(target, '..'));
  if (isIntact(target, entry.tree)) return;
  // What lies there was changed since.
  await rm(target, {recursive: true, force: true});
  await rename(folder, target);
}

/** Whether a folder has the files that were agreed to. */
export function isIntact(folder: string, tree: string): boolean {
  try {
    return hashTree(folder) === tree;
  } catch {
    return false;
  }
}

/** Removes versions other than the locked one and the one before it. */
export async function sweep(lock: ExtensionLock, name: string, entry: LockedExtension): Promise<void> {
  const keep = [entry, ...(entry.previous ? [entry.previous] : [])].map((one) => lock.folderOf(name, one));
  const folder = join(lock.folderOf(name, entry), '..');
  for (const other of await readdir(folder))
    if (!keep.includes(join(folder, other))) await rm(join(folder, other), {recursive: true, force: true});
}
