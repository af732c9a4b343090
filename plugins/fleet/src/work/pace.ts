import {setTimeout} from 'node:timers/promises';
import {readText} from '@gemini-kernel/files';
import {isHeld, takeLock, writeAtomically} from '@gemini-kernel/files/writing';
import {ifMissing} from '../queue/if-missing.js';
import {readShare} from './pace-share.js';

const MINUTE_MS = 60_000;
const PATIENCE_MS = 30_000;

/**
 * Waits for the turn of a request, of all runs that share a file. `perMinute` is for all machines. Gives how long it
 * waited.
 */
export async function waitForTurn(file: string, perMinute: number, signal: AbortSignal): Promise<number> {
  const at = await reserve(file, MINUTE_MS / (perMinute * (await readShare(file))), signal);
  const wait = Math.max(0, at - Date.now());
  if (wait > 0) await setTimeout(wait, undefined, {signal});
  return wait;
}

/** The next moment that is free, which is then taken. */
async function reserve(file: string, gapMs: number, signal: AbortSignal): Promise<number> {
  const lock = await takeLock(`${file}.lock`, {patienceMs: PATIENCE_MS, signal});
  // A lock that is held for that long is of a process that was stopped: no one waits for it forever.
  if (!isHeld(lock)) return Date.now();
  try {
    const next = Number((await readText(file).catch(ifMissing)) ?? 0) || 0;
    const now = Date.now();
    // A time that is far ahead is of a clock that was set back.
    const at = next > now + 60 * MINUTE_MS ? now : Math.max(now, next);
    await writeAtomically(file, String(at + gapMs), {durable: false});
    return at;
  } finally {
    await lock.release();
  }
}
