import type {Stats} from 'node:fs';
import {mkdir, rm, rmdir, stat, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, takeLock} from '@gemini-kernel/files/writing';
import {passOver} from './project-registry.js';

const STALE_MS = 10_000;
const ATTEMPTS = 400;
const PAUSE_MS = 25;
/** Longer than one process waits for the directory. */
const TURN_MS = 15_000;

/**
 * Runs `act` while no other process, of this program or of Gemini CLI, changes the registry. Gemini CLI's lock is a
 * directory beside the file; one that was not renewed for ten seconds is stale. Processes of this program take turns
 * at a lock of their own, so a directory that one of them made is known to be left, and need not become stale.
 * Undefined when the lock is not available.
 */
export async function withRegistryLock<T>(
  path: string,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T | undefined> {
  await makePrivateFolder(dirname(path));
  const turn = await takeLock(`${path}.turn.lock`, {signal, patienceMs: TURN_MS});
  if (!isHeld(turn)) return undefined;
  try {
    return await withDirectory(`${path}.lock`, signal, act);
  } finally {
    await turn.release();
  }
}

async function withDirectory<T>(lock: string, signal: AbortSignal, act: () => Promise<T>): Promise<T | undefined> {
  const note = `${lock}.own`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    signal.throwIfAborted();
    if (await take(lock)) {
      try {
        await writeFile(note, nameOf(await stat(lock)), {mode: 0o600});
        return await act();
      } finally {
        await rmdir(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
        await rm(note, {force: true});
      }
    }
    const found = await stat(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
    // If Gemini CLI breaks it at once, the marker files still assign every short name to only one project.
    if (found && (await isLeft(found, note))) await rmdir(lock).catch((error: unknown) => passOver(error, 'ENOENT'));
    else await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
  return undefined;
}

async function isLeft(found: Stats, note: string): Promise<boolean> {
  if (Date.now() - found.mtimeMs > STALE_MS) return true;
  const made = await readText(note).catch((error: unknown) => passOver(error, 'ENOENT'));
  return made === nameOf(found);
}

/** Gemini CLI renews the time of its own, so no two directories at one path have the same. */
function nameOf({ino, mtimeMs}: Stats): string {
  return `${ino} ${mtimeMs}`;
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    passOver(error, 'EEXIST');
    return false;
  }
}
