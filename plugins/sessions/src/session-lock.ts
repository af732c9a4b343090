import {constants} from 'node:fs';
import {copyFile, link, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {hostname, uptime} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {kill, pid} from 'node:process';
import {objectOf} from './records.js';
import {passOver, systemCode} from './system-code.js';

/** Which process records a session. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO. */
  readonly since: string;
}

/** The lock of a session's file. */
export function lockOf(file: string): string {
  return `${file}.lock`;
}

/** A lock is broken in far less. */
const BREAKING_MS = 10_000;
const PAUSE_MS = 5;

/** Takes a session for this process; gives the other one that has it. A lock whose process is gone counts for nothing. */
export async function takeLock(file: string): Promise<LockOwner | undefined> {
  const lock = lockOf(file);
  // Written whole before it has the name that others look at: nobody ever sees a lock that says nothing yet.
  const own = `${lock}.${pid}`;
  await writeFile(own, JSON.stringify({pid, host: hostname(), since: new Date().toISOString()} satisfies LockOwner), {mode: 0o600});
  try {
    for (;;) {
      const owner = await ownerOf(file);
      if (owner) return owner.pid === pid && owner.host === hostname() ? undefined : owner;
      if (await putInPlace(own, lock)) {
        await sweepLeft(lock);
        return undefined;
      }
      await breakStale(file, own);
    }
  } finally {
    await rm(own, {force: true});
  }
}

/** Removes what processes that were killed while they took this lock had written beside it. */
async function sweepLeft(lock: string): Promise<void> {
  const [folder, begin] = [dirname(lock), `${basename(lock)}.`];
  const names = (await readdir(folder)).filter((name) => name.startsWith(begin) && /^\d+$/.test(name.slice(begin.length)) && name !== `${begin}${pid}`);
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch((error: unknown) => passOver(error, 'ENOENT'));
    const owner = text === undefined ? undefined : parseOwner(text);
    // One that says nothing yet may be about to be written.
    const since = owner ? undefined : await stat(path).catch((error: unknown) => passOver(error, 'ENOENT'));
    if (owner ? !isAlive(owner) : since && Date.now() - since.mtimeMs > BREAKING_MS) await rm(path, {force: true});
  }
}

/** Gives a file a second name, unless something has it. */
async function putInPlace(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    // Some file systems have no second names.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
    return copyFile(file, name, constants.COPYFILE_EXCL).then(() => true, (failed: unknown) => passOver(failed, 'EEXIST') ?? false);
  }
}

/** Lets go of a session. */
export async function releaseLock(file: string): Promise<void> {
  const owner = await ownerOf(file);
  if (owner?.pid === pid && owner.host === hostname()) await rm(lockOf(file), {force: true});
}

/** The running process that has a session, or undefined. */
export async function ownerOf(file: string): Promise<LockOwner | undefined> {
  const text = await readFile(lockOf(file), 'utf8').catch((error: unknown) => passOver(error, 'ENOENT'));
  const owner = text === undefined ? undefined : parseOwner(text);
  return owner && isAlive(owner) ? owner : undefined;
}

/** A process of another machine cannot be asked; one from before this machine's start is gone, whoever has its number now. */
function isAlive({pid: owner, host, since}: LockOwner): boolean {
  if (host !== hostname()) return true;
  if (Date.parse(since) < Date.now() - uptime() * 1000 - 1000) return false;
  try {
    return kill(owner, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** Takes a lock away whose process is gone. One process at a time does so, and looks again when it is its turn: what is there then stays what it is, as long as it is there. */
async function breakStale(file: string, own: string): Promise<void> {
  const turn = `${lockOf(file)}.break`;
  if (await putInPlace(own, turn)) {
    try {
      if (!(await ownerOf(file))) await rm(lockOf(file), {force: true});
    } finally {
      await rm(turn, {force: true});
    }
    return;
  }
  const found = await stat(turn).catch((error: unknown) => passOver(error, 'ENOENT'));
  if (found && Date.now() - found.mtimeMs > BREAKING_MS) await rm(turn, {force: true});
  else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

// A lock is written at once; one that says nothing comes from a full disk or a power cut.
function parseOwner(text: string): LockOwner | undefined {
  try {
    const {pid: owner, host, since} = objectOf(JSON.parse(text)) ?? {};
    return typeof owner === 'number' && typeof host === 'string' && typeof since === 'string' ? {pid: owner, host, since} : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
