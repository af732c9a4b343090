import {link, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {hostname, uptime} from 'node:os';
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

/** Takes a session for this process; gives the other one that has it. A lock whose process is gone counts for nothing. */
export async function takeLock(file: string): Promise<LockOwner | undefined> {
  const lock = lockOf(file);
  for (;;) {
    const owner = await ownerOf(file);
    if (owner) return owner.pid === pid && owner.host === hostname() ? undefined : owner;
    try {
      await writeFile(lock, JSON.stringify({pid, host: hostname(), since: new Date().toISOString()} satisfies LockOwner), {flag: 'wx', mode: 0o600});
      return undefined;
    } catch (error) {
      passOver(error, 'EEXIST');
      await breakStale(lock);
    }
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

// What is taken away is looked at again, so that a lock which another process has just taken is put back.
async function breakStale(lock: string): Promise<void> {
  const aside = `${lock}.${pid}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    return passOver(error, 'ENOENT');
  }
  const owner = parseOwner(await readFile(aside, 'utf8'));
  if (owner && isAlive(owner)) await link(aside, lock).catch((error: unknown) => passOver(error, 'EEXIST'));
  await rm(aside, {force: true});
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
