import {Deadline} from '../hooks/deadline.js';
import {messageOf} from '../contract/error.js';
import type {Tell} from '../contract/notice.js';

/** The calls that run now, so that an unhandled error can fail them instead of the program. */
export class RunningCalls {
  readonly #waits = new Set<Deadline>();
  /** The tool whose call ended last. */
  #last: string | undefined;

  constructor(private readonly tell: Tell) {}

  /**
   * Waits for a call. Cancelling returns at once, even if the call waits for its turn or the tool ignores the signal.
   */
  async during<T>(tool: string, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
    const wait = new Deadline(tool, 0, signal);
    this.#waits.add(wait);
    try {
      return await wait.race(act);
    } finally {
      this.#waits.delete(wait);
      this.#last = tool;
    }
  }

  /** Fails every running call, as any may have caused it; after a call it warns. False when none can have caused it. */
  fail(error: unknown): boolean {
    const waits = [...this.#waits];
    for (const wait of waits) wait.end(error);
    if (waits.length > 0 || this.#last === undefined) return waits.length > 0;
    const sentence = `Something failed after the call of ${this.#last} had ended: ${messageOf(error)}`;
    this.tell({code: 'LATE_FAILURE', sentence});
    return true;
  }
}
