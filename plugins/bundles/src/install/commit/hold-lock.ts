import {dirname} from 'node:path';
import {isHeld, takeLock, type HeldLock, type LockOwner} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {systemFault} from '../../system-faults.js';
import {makeStoreFolder} from './make-store-folder.js';

export interface HoldOptions {
  /** The file that names the current holder. */
  readonly file: string;
  /** Whether other users read its folder; if not, the folder is created for this user only. */
  readonly isShared?: boolean;
  readonly signal: AbortSignal;
  tell(sentence: string): void;
  /** How long to wait for another process. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;
/** Machines can share a store: a holder renews its lock this often. */
const BEAT_MS = 2_000;

/**
 * Runs an act while no other process runs one under the same file. Waits for a live holder; ignores one whose process
 * is gone. Throws KernelError INSTALL_BUSY or INSTALL_UNWRITABLE.
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
      hint: 'Installed plugins are unchanged. Free some space or grant write access, then try again.',
    });
  }
  if (isHeld(taken)) return taken;
  const {pid, host, since} = taken;
  const sentence = `The process ${pid} on ${host} has been changing the installed plugins since ${since}.`;
  throw new KernelError('INSTALL_BUSY', sentence, {
    hint: 'Wait until it finishes, or end it, then try again.',
  });
}
