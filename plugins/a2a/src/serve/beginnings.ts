import {setImmediate as nextTurn} from 'node:timers/promises';

/** A beginning that waits, for a hook or a server, holds up no other one for longer. */
const LONGEST_MS = 250;

/**
 * Lets tasks begin one after the other. A beginning is work for the processor: many at once would hold up what tasks
 * that run already have to say.
 */
export class Beginnings {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the turn of a task; what it gives ends the turn, and may be called more than once. */
  async take(): Promise<() => void> {
    const before = this.#last;
    let end = (): void => undefined;
    this.#last = new Promise((resolve) => (end = resolve));
    await before;
    // What has arrived meanwhile comes first.
    await nextTurn();
    const timer = setTimeout(end, LONGEST_MS).unref();
    return () => {
      clearTimeout(timer);
      end();
    };
  }
}
