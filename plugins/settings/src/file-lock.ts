import {isHeld, takeLock} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';
import {lockOf} from './settings-file.js';

const PATIENCE_MS = 5000;
/**
 * On other machines that share the home folder, a writer that was killed blocks the settings no longer than a few of
 * these.
 */
const BEAT_MS = 2000;

/**
 * Runs `act` while no other process does so for the same path. Throws KernelError SETTINGS_LOCKED after five seconds.
 */
export async function withFileLock<T>(path: string, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const lock = lockOf(path);
  const taken = await takeLock(lock, {signal, patienceMs: PATIENCE_MS, beatMs: BEAT_MS});
  if (!isHeld(taken)) {
    const {pid, host} = taken;
    const sentence = `The process ${pid} on ${host} has been writing ${path} for five seconds (${lock}).`;
    throw new KernelError('SETTINGS_LOCKED', sentence, {
      hint: 'Try again; if no other gemini runs, delete that file.',
    });
  }
  try {
    return await act();
  } finally {
    await taken.release();
  }
}
