import {createHash} from 'node:crypto';
import {lstat} from 'node:fs/promises';
import {uptime} from 'node:os';
import {platform} from 'node:process';
import {kindOf} from './check-regular.js';
import {FileFault} from './file-fault.js';
import {isRunning, type ProcessMark} from './process-mark.js';
import {readRegularSync} from './read-regular-sync.js';

/** Which process has a lock. */
export interface LockOwner extends ProcessMark {
  /** ISO. */
  readonly since: string;
  /** The file's time is renewed this often, so that other machines see whether the owner lives. */
  readonly beatMs?: number;
}

/** The state of a lock file: free, held by a process, or left by one that has ended. */
export type LockState =
  | {readonly kind: 'free'}
  | {readonly kind: 'held'; readonly owner: LockOwner}
  /** Made, and not filled yet. */
  | {readonly kind: 'unclear'}
  /** `generation` is of this one lock; no later lock of the path has it. */
  | {readonly kind: 'left'; readonly generation: string};

const MARKS = new Set(['began', 'boot', 'space']);
const LARGEST = 1 << 16;
/** A lock that says nothing for longer comes from a full disk or a power cut. */
const UNCLEAR_MS = 2000;
/** An owner on another machine is gone when it has missed several beats. */
const SILENT_MS = 15_000;

/** Looks at a lock. Throws FileFault when something else has its name. */
export async function examineLock(path: string): Promise<LockState> {
  const found = await lstat(path).catch(passAbsence);
  if (!found) return {kind: 'free'};
  if (!found.isFile()) {
    const kind = kindOf(found);
    throw new FileFault(kind === 'directory' ? 'EISDIR' : 'ENOTFILE', path, `it is a ${kind}, not a lock`);
  }
  const text = readText(path);
  if (text === undefined) return {kind: 'free'};
  const age = Date.now() - found.mtimeMs;
  // Every text names its draft, which no other does; an empty lock has its inode and its time only.
  const birth = text === '' ? `${found.ino} ${found.mtimeMs}` : text;
  const generation = createHash('sha256').update(birth).digest('hex').slice(0, 16);
  const owner = parseOwner(text);
  if (!owner) return Math.abs(age) < UNCLEAR_MS ? {kind: 'unclear'} : {kind: 'left', generation};
  return (await isAlive(owner, age)) ? {kind: 'held', owner} : {kind: 'left', generation};
}

/** What is in a lock; undefined when it is gone. */
export function readText(path: string): string | undefined {
  try {
    return readRegularSync(path, LARGEST).toString('utf8');
  } catch (error) {
    return passAbsence(error);
  }
}

/**
 * Dates say nothing where there is better: the clock may have been set since the lock was made, or since the machine
 * started.
 */
async function isAlive(owner: LockOwner, age: number): Promise<boolean> {
  const isSilent = owner.beatMs !== undefined && age > Math.max(SILENT_MS, owner.beatMs * 5);
  const running = await isRunning(owner);
  if (running === undefined) return !isSilent;
  // Windows has neither a name of its start nor a quick answer for when a process began, and gives numbers out again
  // soon.
  if (platform === 'win32' && Date.parse(owner.since) < Date.now() - uptime() * 1000 - 1000) return false;
  // Where a number is all that is known of the owner, another process may have it now.
  return running && (owner.began !== undefined || !isSilent);
}

function parseOwner(text: string): LockOwner | undefined {
  let value: Partial<Record<keyof LockOwner, unknown>> | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const {pid, host, since, beatMs, ...rest} = value ?? {};
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return undefined;
  const isMark = ([key, one]: readonly [string, unknown]): boolean => MARKS.has(key) && typeof one === 'string';
  const marks = Object.entries(rest).filter(isMark);
  return {pid, host, since, ...Object.fromEntries(marks), ...(typeof beatMs === 'number' ? {beatMs} : {})};
}

function passAbsence(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
