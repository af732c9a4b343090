import {readFile, rm, stat, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {kill, pid} from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {KernelError} from '@gemini-kernel/kernel';
import {systemCodeOf} from './settings-file.js';

const ATTEMPTS = 200;
const PAUSE_MS = 25;
const EMPTY_MS = 2000;

/** Runs `act` while no other process does so for the same path. Throws KernelError SETTINGS_LOCKED after five seconds. */
export async function withFileLock<T>(path: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await acquire(lock, signal);
  try {
    return await act();
  } finally {
    await rm(lock, {force: true});
  }
}

async function acquire(lock: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    signal.throwIfAborted();
    if (await take(lock)) return;
    await breakStale(lock);
    // An abort is thrown at the top of the loop, with its own reason.
    await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
  throw new KernelError('SETTINGS_LOCKED', `Another process has been writing the settings for five seconds (${lock}).`, {
    hint: 'Try again; if no other gemini runs, delete that file.',
  });
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${pid} ${hostname()}`, {flag: 'wx'});
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    // A full disk makes the file and then has no room for what it says.
    await rm(path, {force: true});
    throw error;
  }
}

// Whoever removes a dead owner's lock holds a second lock meanwhile, so that nobody removes a live one in its place.
async function breakStale(lock: string): Promise<void> {
  if (!(await isStale(lock))) return;
  if (!(await take(`${lock}.break`))) {
    if (await isStale(`${lock}.break`)) await rm(`${lock}.break`, {force: true});
    return;
  }
  try {
    if (await isStale(lock)) await rm(lock, {force: true});
  } finally {
    await rm(`${lock}.break`, {force: true});
  }
}

async function isStale(lock: string): Promise<boolean> {
  const [owner, host] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
  if (!owner) return isOld(lock);
  return host === hostname() && !isRunning(Number(owner));
}

/** A lock is empty only between its making and its filling; one that stays so belongs to nobody. */
async function isOld(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > EMPTY_MS;
}

function isRunning(owner: number): boolean {
  try {
    return kill(owner, 0);
  } catch (error) {
    // Anything else than "no such process" means that it runs, and is not ours to signal.
    return systemCodeOf(error) !== 'ESRCH';
  }
}
