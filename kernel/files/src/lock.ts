import {readdir, rm, utimes} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {examineLock, readText, type LockOwner} from './lock-record.js';
import {createPrivateFile} from './private-file.js';
import {isSelf, markOfSelf, writerMark} from './process-mark.js';
import {putInPlace} from './put-in-place.js';
import {sweepBeside} from './sweep-left.js';

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for another process; 0 unless given. */
  readonly patienceMs?: number;
  /** Renews the file's time this often, for machines that share the folder and cannot ask whether this process runs. */
  readonly beatMs?: number;
  /** Called once, when there is a wait. */
  onWait?(owner: LockOwner): void;
}

/** A lock that this process has. */
export interface HeldLock {
  release(): Promise<void>;
}

const PAUSE_MS = 25;
/** Removing a lock takes far less. */
const BREAKING_MS = 10_000;
const TURN = '.break';

/**
 * Takes a lock, or says which process has it. One that a process has left counts for nothing, and is removed by one
 * process at a time. Throws FileFault when the name belongs to something that is not a lock, and the reason of the
 * signal.
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<HeldLock | LockOwner> {
  const {signal, patienceMs = 0, beatMs, onWait} = options;
  const draft = `${path}.${writerMark()}.lock`;
  // The name of the draft is in the text: no two locks say the same.
  // JSON leaves out a `beatMs` that is undefined.
  const text = JSON.stringify({...markOfSelf(), since: new Date().toISOString(), beatMs, draft: basename(draft)});
  try {
    // Written whole before it has the name that others look at.
    await createPrivateFile(draft, text);
    const owner = await waitForTurn(draft, {path, signal, patienceMs, onWait: (one) => onWait?.call(options, one)});
    if (owner) return owner;
  } finally {
    await rm(draft, {force: true});
  }
  await sweepTurns(path);
  const stop = beatMs === undefined ? undefined : startBeating(path, beatMs);
  return {
    async release() {
      stop?.();
      // Another machine that heard nothing for long may have it now.
      if (readText(path) === text) await rm(path, {force: true});
    },
  };
}

/** Whether `takeLock` gave the lock. */
export function isHeld(taken: HeldLock | LockOwner): taken is HeldLock {
  return 'release' in taken;
}

/**
 * The running process that has a lock, or undefined. Throws FileFault when the name belongs to something that is not
 * a lock.
 */
export async function ownerOfLock(path: string): Promise<LockOwner | undefined> {
  const state = await examineLock(path);
  return state.kind === 'held' ? state.owner : undefined;
}

/** Releases a lock that this process took, wherever it keeps what `takeLock` gave. */
export async function releaseLock(path: string): Promise<void> {
  const owner = await ownerOfLock(path);
  if (owner && isSelf(owner)) await rm(path, {force: true});
}

/** Removes a lock that a process has left, and what lies beside it. */
export async function sweepLock(path: string): Promise<void> {
  const state = await examineLock(path);
  if (state.kind === 'left') await breakLeft(path, state.generation);
  if (state.kind !== 'held') await sweepTurns(path);
}

type Waiting = Required<Omit<LockOptions, 'beatMs'>> & {readonly path: string};

/** Puts the lock in place; gives the process that has it when patience ends. */
async function waitForTurn(draft: string, {path, signal, patienceMs, onWait}: Waiting): Promise<LockOwner | undefined> {
  const start = Date.now();
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    if (await putInPlace(draft, path)) return undefined;
    const found = await findHolder(path, patienceMs);
    if (found.owner && Date.now() - start >= found.patience) return found.owner;
    if (found.isHeld && !told) onWait(found.owner);
    told ||= found.isHeld;
    // The check at the top of the loop throws the reason of an abort.
    if (found.isBusy) await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
}

type Holder = {readonly patience: number; readonly isBusy: boolean} & (
  {readonly isHeld: true; readonly owner: LockOwner} | {readonly isHeld: false; readonly owner: LockOwner | undefined}
);

/** The process that keeps a lock from being taken: the one that has it, or the one that removes what was left. */
async function findHolder(path: string, patienceMs: number): Promise<Holder> {
  const state = await examineLock(path);
  if (state.kind === 'held') return {isHeld: true, owner: state.owner, patience: patienceMs, isBusy: true};
  const owner = state.kind === 'left' ? await breakLeft(path, state.generation) : undefined;
  return {isHeld: false, owner, patience: BREAKING_MS, isBusy: owner !== undefined || state.kind === 'unclear'};
}

/**
 * Removes a lock that was left; gives the process that is doing so. The right to remove this one lock is itself a lock
 * with a unique name: a holder that died blocks no one, and a late process finds another lock, and leaves it.
 */
async function breakLeft(path: string, generation: string): Promise<LockOwner | undefined> {
  const turn = await takeLock(`${path}${TURN}-${generation}`);
  if (!isHeld(turn)) return turn;
  try {
    const state = await examineLock(path);
    if (state.kind === 'left' && state.generation === generation) await rm(path, {force: true});
  } finally {
    await turn.release();
  }
  return undefined;
}

/** Removes the drafts of processes that are gone, and the turns at locks that are gone. */
async function sweepTurns(path: string): Promise<void> {
  if (basename(path).includes(TURN)) return;
  await sweepBeside(path);
  // Listed before the lock is examined: a turn that begins later is for a lock that this does not know.
  const turns = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}${TURN}`));
  const state = turns.length === 0 ? undefined : await examineLock(path);
  const current = state?.kind === 'left' ? `${basename(path)}${TURN}-${state.generation}` : undefined;
  for (const name of turns) {
    if (!(current && name.startsWith(current))) await rm(join(dirname(path), name), {force: true});
  }
}

/** A beat that fails leaves the file as silent as that of a dead process. */
function startBeating(path: string, beatMs: number): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch((error: unknown) => {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    });
  }, beatMs).unref();
  return () => clearInterval(timer);
}
