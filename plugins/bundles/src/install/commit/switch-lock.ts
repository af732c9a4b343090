import {mkdir, open, readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pid} from 'node:process';
import {readText} from '@gemini-kernel/files';
import {isKernelError, KernelError, type JSONSchema} from '@gemini-kernel/kernel';
import {readLock, type LockedPlugin, type PluginsLock} from '@gemini-kernel/admission';
import {findViolations} from '@gemini-kernel/kernel/host';
import {renameSteadily} from './rename-steadily.js';
import {passOver, systemFault} from '../../system-faults.js';

export interface LockSwitch {
  /** `plugins.lock.json`. */
  readonly lock: string;
  readonly schema: JSONSchema;
  /** Whether a lock that cannot be read may be replaced, as if nothing were in it. */
  readonly isDamageAccepted?: boolean;
  /** What is to be in the lock, made of what is in it. */
  change(plugins: PluginsLock['plugins']): Readonly<Record<string, LockedPlugin>>;
}

const KEPT = 10;

/** Where the locks before the last changes are, by serial. */
export function historyOf(lock: string): string {
  return join(dirname(lock), 'plugins.lock.history');
}

/**
 * Replaces the lock in one step, with a serial one higher, after the one before was kept. Trees that the new lock names
 * have to be in the store by then, and the caller has to hold the lock. Throws KernelError LOCK_UNREADABLE or
 * INSTALL_UNWRITABLE; then the lock is what it was.
 */
export async function switchLock({lock, schema, isDamageAccepted = false, change}: LockSwitch): Promise<PluginsLock> {
  const before = await readLock(lock, schema).catch((error: unknown) => {
    if (!isDamageAccepted || !isKernelError(error)) throw error;
    return undefined;
  });
  const serials = await listHistory(lock);
  const plugins = change(before?.plugins ?? {});
  const names = Object.keys(plugins).sort();
  const sorted = Object.fromEntries(names.flatMap((name) => (plugins[name] ? [[name, plugins[name]]] : [])));
  const after: PluginsLock = {lockVersion: 1, serial: Math.max(before?.serial ?? 0, ...serials) + 1, plugins: sorted};
  if (before && isSame(before, after)) return before;
  const faults = await findViolations(schema, after, 'lock');
  if (faults.length > 0)
    throw new KernelError(
      'PLUGIN_UNFIT',
      `What was to be written into ${lock} is no lock: ${faults.slice(0, 3).join(' ')}`,
    );
  try {
    if (before || serials.length === 0) await keepHistory(lock, before ?? {lockVersion: 1, serial: 0, plugins: {}});
    await writeWhole(lock, `${JSON.stringify(after, null, 2)}\n`);
  } catch (error) {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot write ${lock}`,
      hint: 'What is installed stays as it is. Make room, or give the right to write there, then try again.',
    });
  }
  return after;
}

function isSame(a: PluginsLock, b: PluginsLock): boolean {
  return (
    JSON.stringify(Object.entries(a.plugins).sort(([one], [other]) => (one < other ? -1 : 1))) ===
    JSON.stringify(Object.entries(b.plugins))
  );
}

async function keepHistory(lock: string, before: PluginsLock): Promise<void> {
  const folder = historyOf(lock);
  await mkdir(folder, {recursive: true, mode: 0o755});
  // It is of one machine, and what was once is nothing to commit.
  await writeWhole(join(folder, '.gitignore'), '*\n');
  await writeWhole(join(folder, `${before.serial}.json`), `${JSON.stringify(before, null, 2)}\n`);
  for (const serial of (await listHistory(lock)).slice(KEPT)) await rm(join(folder, `${serial}.json`), {force: true});
}

/** The serials of the locks that are kept, the latest first. */
export async function listHistory(lock: string): Promise<readonly number[]> {
  const names = await readdir(historyOf(lock)).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR'));
  return (names ?? [])
    .flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => b - a);
}

/** Reads a lock that was kept. Throws KernelError LOCK_UNREADABLE. */
export async function readHistory(lock: string, serial: number, schema: JSONSchema): Promise<PluginsLock | undefined> {
  return readLock(join(historyOf(lock), `${serial}.json`), schema);
}

/** Writes a file so that whoever reads it finds the old text or the new one, after a power cut too. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${pid}.new`;
  await mkdir(folder, {recursive: true, mode: 0o755});
  try {
    const file = await open(temporary, 'w', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameSteadily(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows and some network file systems have no such thing for folders.
  const file = await open(folder, 'r').catch((error: unknown) => passOver(error, 'EISDIR', 'EPERM', 'EACCES'));
  try {
    await file?.sync().catch((error: unknown) => passOver(error, 'EINVAL', 'EPERM', 'EBADF', 'ENOTSUP'));
  } finally {
    await file?.close();
  }
}

/** The text of a file, undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readText(path).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR'));
}
