import {dirname} from 'node:path';
import {isHeld, takeLock, type HeldLock, type LockOwner} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {systemFault} from '../../system-faults.js';
import {makeStoreFolder} from './make-store-folder.js';

export interface HoldOptions {
  /** The file that says who is at work. */
  readonly file: string;
  /** Whether other users read what is beside it; else the folder is made for this user only. */
  readonly isShared?: boolean;
  readonly signal: AbortSignal;
  tell(sentence: string): void;
  /** How long another process may take. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
/** A store may be shared by machines: a holder says this often that it lives. */
const BEAT_MS = 2_000;

/**
 * Does something while no other process does something under the same file. Waits for one that is at work; one that
 * is gone counts for nothing. Throws KernelError INSTALL_BUSY or INSTALL_UNWRITABLE.
 */
export async function holdLock<T>(options: HoldOptions, act: () => Promise<T>): Promise<T> {
  const held = await take(options);
  try {
    return await act();
  } finally {
    await held.release();
  }
}

async function take({file, isShared = false, signal, tell, patienceMs = PATIENCE_MS}: HoldOptions): Promise<HeldLock> {
  const onWait = ({pid}: LockOwner): void => {
    tell(`Waiting for the process ${pid}, which is changing the installed plugins.`);
  };
  let taken: HeldLock | LockOwner;
  try {
    await makeStoreFolder(dirname(file), isShared);
    taken = await takeLock(file, {signal, patienceMs, beatMs: BEAT_MS, onWait});
  } catch (error) {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot write to ${dirname(file)}`,
      hint: 'What is installed stays as it is. Make room, or give the right to write there, then try again.',
    });
  }
  if (isHeld(taken)) return taken;
  const {pid, host, since} = taken;
  const sentence = `The process ${pid} on ${host} has been changing the installed plugins since ${since}.`;
  throw new KernelError('INSTALL_BUSY', sentence, {
    hint: 'Wait for it, or end it, then try again.',
  });
}
