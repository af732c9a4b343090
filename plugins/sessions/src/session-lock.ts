import * as locks from '@gemini-kernel/files/writing';
import type {LockOwner} from '@gemini-kernel/files/writing';

export type {LockOwner};

/** The lock of a session's file. */
export function lockOf(file: string): string {
  return `${file}.lock`;
}

/**
 * Locks a session for this process, waiting as long as the options say; returns the holder if another process has it.
 * A lock whose process is gone does not count. Throws FileFault when something else is at the path of the lock.
 */
export async function takeLock(file: string, options: locks.LockOptions = {}): Promise<LockOwner | undefined> {
  const taken = await locks.takeLock(lockOf(file), options);
  return locks.isHeld(taken) || locks.isSelf(taken) ? undefined : taken;
}

/** Releases a session. */
export async function releaseLock(file: string): Promise<void> {
  await locks.releaseLock(lockOf(file));
}

/** The running process that has a session, or undefined. */
export async function ownerOf(file: string): Promise<LockOwner | undefined> {
  return locks.ownerOfLock(lockOf(file));
}
