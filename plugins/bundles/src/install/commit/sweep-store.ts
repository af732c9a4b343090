import {readdir, rm, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pid} from 'node:process';
import {isProcess, machineMark} from '@gemini-kernel/files/writing';
import {isKernelError} from '@gemini-kernel/kernel';
import {readLock, storeName, type PluginsLock} from '@gemini-kernel/admission';
import {passOver} from '../../system-faults.js';
import type {Installer} from '../source/installer.js';
import {historyOf, listHistory, readHistory} from './lock-history.js';
import {readIfThere, writeWhole} from './write-whole.js';

const OLD_MS = 24 * 3_600_000;
const UNFINISHED = /^(plugins\.lock\.json|\.locks\.json|\.gitignore|\d+\.json)\.\d+\.new$/;

/**
 * The name of a folder in which a process prepares something. It is in the store itself so that it can be moved into
 * place.
 */
export async function stagingName(owner: number, id: string): Promise<string> {
  return `.staging-${owner}-${machineMark()}-${id}`;
}

type StoreParts = Pick<Installer, 'store' | 'schemas'>;

/** Records that a lock names trees of this store, so that they are kept. Call it before the first one is put there. */
export async function rememberLock({store, lock}: Pick<Installer, 'store' | 'lock'>): Promise<void> {
  const known = await listLocks(store);
  if (!known.includes(lock)) await writeWhole(join(store, '.locks.json'), JSON.stringify([...known, lock]));
}

async function listLocks(store: string): Promise<readonly string[]> {
  const text = await readIfThere(join(store, '.locks.json'));
  if (text === undefined) return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/**
 * Removes what processes that have ended left behind, and the trees that no lock and no kept lock names. When a lock
 * cannot be read, every tree stays. Call it while you hold the lock.
 */
export async function sweepStore(parts: StoreParts): Promise<readonly string[]> {
  const names = (await readdir(parts.store).catch((error: unknown) => passOver(error, 'ENOENT'))) ?? [];
  const named = await findNamed(parts);
  const removed: string[] = [];
  for (const name of names)
    if (
      name.startsWith('.staging-')
        ? await isLeft(parts.store, name)
        : !name.startsWith('.') && named !== undefined && !named.has(name)
    )
      removed.push(name);
  for (const name of removed) await rm(join(parts.store, name), {recursive: true, force: true, maxRetries: 3});
  if (named !== undefined) await sweepUnfinished(parts, await listLocks(parts.store));
  return removed;
}

/** Whether a process is alive is known only on this machine; leftovers of other machines must be very old. */
async function isLeft(store: string, name: string): Promise<boolean> {
  const [, owner, machine] = /^\.staging-(\d+)-([0-9a-f]{8})-/.exec(name) ?? [];
  if (machine === machineMark()) return isGone(Number(owner));
  const found = await stat(join(store, name)).catch((error: unknown) => passOver(error, 'ENOENT'));
  return found !== undefined && Date.now() - found.mtimeMs > OLD_MS;
}

function isGone(owner: number): boolean {
  return owner !== pid && !isProcess(owner);
}

/** Removes the unfinished files that ended processes left beside a lock, its kept states and the store. */
async function sweepUnfinished({store}: StoreParts, locks: readonly string[]): Promise<void> {
  const folders = new Set([store, dirname(store), ...locks.flatMap((lock) => [dirname(lock), historyOf(lock)])]);
  for (const folder of folders) {
    const names =
      (await readdir(folder).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES'))) ?? [];
    for (const name of names)
      if (UNFINISHED.test(name) && isGone(Number(/\.(\d+)(\.new)?$/.exec(name)?.[1])))
        await rm(join(folder, name), {force: true});
  }
}

/** The trees that some lock names; undefined when that cannot be determined. */
async function findNamed({store, schemas}: StoreParts): Promise<ReadonlySet<string> | undefined> {
  const named = new Set<string>();
  const take = (lock: PluginsLock | undefined): void => {
    for (const [name, plugin] of Object.entries(lock?.plugins ?? {})) named.add(storeName(name, plugin));
  };
  try {
    for (const path of await listLocks(store)) {
      take(await readLock(path, schemas.lock));
      for (const serial of await listHistory(path)) take(await readHistory(path, serial, schemas.lock));
    }
    return named;
  } catch (error) {
    if (!isKernelError(error) && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
