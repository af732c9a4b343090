import {setTimeout} from 'node:timers/promises';
import {isKernelError} from '@gemini-kernel/kernel';

const PAUSE_MS = 500;
/** A server that is restarted is back within that. */
const PATIENCE_MS = 60_000;

/** Says something to a queue until its server hears it. It must be safe to say twice. */
export async function insist<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const began = performance.now(); ; await setTimeout(PAUSE_MS, undefined, {signal})) {
    try {
      return await act();
    } catch (error) {
      const isAway = isKernelError(error) && error.code === 'QUEUE_UNREACHABLE';
      if (!isAway || performance.now() - began > PATIENCE_MS) throw error;
    }
  }
}
