import {mkdir, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {readLock, type PluginsLock} from '@gemini-kernel/admission';
import {passOver} from '../../system-faults.js';
import {writeWhole} from './write-whole.js';

const KEPT = 10;

/** Where the locks before the last changes are, by serial. */
export function historyOf(lock: string): string {
  return join(dirname(lock), 'plugins.lock.history');
}

/** Keeps a lock that is about to be replaced, and deletes the oldest. Call it while you hold the lock. */
export async function keepHistory(lock: string, before: PluginsLock): Promise<void> {
  const folder = historyOf(lock);
  await mkdir(folder, {recursive: true, mode: 0o755});
  // It belongs to one machine and is not meant to be committed.
  await writeWhole(join(folder, '.gitignore'), '*\n');
  await writeWhole(join(folder, `${before.serial}.json`), `${JSON.stringify(before, null, 2)}\n`);
  for (const serial of (await listHistory(lock)).slice(KEPT)) await rm(join(folder, `${serial}.json`), {force: true});
}

/** The serials of the kept locks, latest first. */
export async function listHistory(lock: string): Promise<readonly number[]> {
  const names = await readdir(historyOf(lock)).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR'));
  return (names ?? [])
    .flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => b - a);
}

/** Reads a kept lock. Throws KernelError LOCK_UNREADABLE. */
export async function readHistory(lock: string, serial: number, schema: JSONSchema): Promise<PluginsLock | undefined> {
  return readLock(join(historyOf(lock), `${serial}.json`), schema);
}
