import {KernelError, type Tell} from '@gemini-kernel/kernel';
import {takeLock, type LockOwner} from './session-lock.js';

/** A wait is at most a day. */
const MOST_SECONDS = 86_400;
/** Most waits are shorter. */
const SILENT_MS = 1000;

/**
 * How long to wait for a busy session, in milliseconds: the value of `--wait`, a day without a value, 0 without the
 * flag. Throws KernelError SESSION_WAIT_INVALID.
 */
export function patienceOf(value: unknown): number {
  if (value === undefined) return 0;
  const text = String(value).trim();
  if (text === '') return MOST_SECONDS * 1000;
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MOST_SECONDS) return seconds * 1000;
  throw new KernelError('SESSION_WAIT_INVALID', `--wait must be a number of seconds, not ${JSON.stringify(text)}.`, {
    hint: `Give a number from 0 to ${MOST_SECONDS}, or omit it: gemini --resume latest --wait 30.`,
  });
}

/** Locks a session, waiting for the process that has it; returns that process after the timeout. */
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
        const sentence = `Waiting${limit} for process ${pid} on ${host}, which has this session. Press Ctrl+C to stop.`;
        progress = setTimeout(() => tell({code: 'SESSION_AWAITED', sentence}), SILENT_MS);
      },
    });
  } finally {
    clearTimeout(progress);
  }
}
