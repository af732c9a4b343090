import * as locks from '@gemini-kernel/files/writing';
import type {LockOwner} from '@gemini-kernel/files/writing';

export type {LockOwner};

/** The lock of a session's file. */
export function lockOf(file: string): string {
  return `${file}.lock`;
}

/**
 * Takes a session for this process; gives the other one that has it, after waiting for it as long as the options say.
 * A lock whose process is gone counts for nothing. Throws FileFault when something else has the name of the lock.
 */
export async function takeLock(file: string, options: locks.LockOptions = {}): Promise<LockOwner | undefined> {
  const taken = await locks.takeLock(lockOf(file), options);
  return locks.isHeld(taken) || locks.isSelf(taken) ? undefined : taken;
}

/** Lets go of a session. */
export async function releaseLock(file: string): Promise<void> {
  await locks.releaseLock(lockOf(file));
}

/** The running process that has a session, or undefined. */
export async function ownerOf(file: string): Promise<LockOwner | undefined> {
  return locks.ownerOfLock(lockOf(file));
}
