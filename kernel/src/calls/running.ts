import type {RunningCalls} from './running-calls.js';

/** Work that runs in parallel in a kernel, and work that waits until none is left. */
export class Running {
  #count = 0;
  /** Settles, whatever became of the act, when what needs quiet has ended. */
  #quiet: Promise<void> | undefined;
  readonly #waiting: (() => void)[] = [];

  /** `calls` are the calls of tools among what runs. */
  constructor(readonly calls: RunningCalls) {}

  /** Runs an act; it waits while something that needs quiet is at work. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    // A call that is made by a running one must not wait for what waits for the latter.
    while (this.#count === 0 && this.#quiet) await this.#quiet;
    this.#count += 1;
    try {
      return await act();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Runs an act once no other is running. */
  async whenIdle(act: () => Promise<void>): Promise<void> {
    while (this.#quiet || this.#count > 0)
      await (this.#quiet ?? new Promise<void>((resolve) => this.#waiting.push(resolve)));
    const acting = act();
    const end = (): void => void (this.#quiet = undefined);
    this.#quiet = acting.then(end, end);
    await acting;
  }
}
