import {KernelError, type Tell} from '@gemini-kernel/kernel';
import {takeLock, type LockOwner} from './session-lock.js';

/** Nobody waits for longer than a day. */
const MOST_SECONDS = 86_400;
/** Most waits are over by then. */
const SILENT_MS = 1000;

/**
 * How long to wait for a busy session, in milliseconds: what follows `--wait`, a day when nothing does, 0 without it.
 * Throws KernelError SESSION_WAIT_INVALID.
 */
export function patienceOf(value: unknown): number {
  if (value === undefined) return 0;
  const text = String(value).trim();
  if (text === '') return MOST_SECONDS * 1000;
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MOST_SECONDS) return seconds * 1000;
  throw new KernelError('SESSION_WAIT_INVALID', `--wait cannot wait for ${JSON.stringify(text)}.`, {
    hint: `Give a number of seconds from 0 to ${MOST_SECONDS}, or nothing: gemini --resume latest --wait 30.`,
  });
}

/** Takes a session, waiting for the process that has it; gives that process when the time is over. */
export async function waitForSession(
  file: string,
  {patienceMs, tell}: {readonly patienceMs: number; readonly tell: Tell},
): Promise<LockOwner | undefined> {
  let progress: NodeJS.Timeout | undefined;
  try {
    return await takeLock(file, {
      patienceMs,
      onWait({pid, host}) {
        const limit = patienceMs < MOST_SECONDS * 1000 ? ` at most ${patienceMs / 1000} s` : '';
        const sentence = `Waiting${limit} for process ${pid} on ${host}, which has this session. Ctrl+C ends this.`;
        progress = setTimeout(() => tell({code: 'SESSION_AWAITED', sentence}), SILENT_MS);
      },
    });
  } finally {
    clearTimeout(progress);
  }
}
