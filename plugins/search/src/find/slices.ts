import {setImmediate} from 'node:timers/promises';

/** After how many paths one looks at the clock. */
export const SLICE_PATHS = 256;

/** How long others wait at most. */
const SLICE_MS = 6;

/** Cuts long work into slices, between which others get their turn. */
export class Slices {
  #began = performance.now();

  /** Called between two small pieces of the work. Rejects with the reason of the signal. */
  async pass(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#began >= SLICE_MS) {
      await setImmediate();
      this.#began = performance.now();
    }
    signal.throwIfAborted();
  }
}
