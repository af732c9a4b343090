/** Raised when something took longer than it may. */
export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms.`);
  }
}

/** Bounds one piece of work in time. Its signal is created on first use. */
export class Deadline {
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #fail: ((reason: unknown) => void) | undefined;
  #ended = false;
  #reason: unknown;

  /** `ms` 0 = no bound but the parent's. */
  constructor(
    private readonly what: string,
    private readonly ms: number,
    private readonly parent: AbortSignal | undefined,
  ) {}

  /** Aborted when the time is over or the parent is aborted. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.parent?.aborted) this.#controller.abort(this.parent.reason);
    else if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Whether the work is done, or no longer awaited. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Waits for the work, not longer than allowed; aborting the parent rejects with its reason. */
  async race<T>(start: () => T | Promise<T>): Promise<T> {
    this.parent?.throwIfAborted();
    const stop = (): void => this.end(this.parent?.reason);
    this.parent?.addEventListener('abort', stop, {once: true});
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#fail = reject;
        this.resume();
        Promise.resolve(start()).then(resolve, reject);
      });
    } finally {
      this.pause();
      this.#ended = true;
      this.parent?.removeEventListener('abort', stop);
    }
  }

  /** Stops the clock, for time that is not the work's own. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Restarts the clock. */
  resume(): void {
    if (this.ms > 0 && !this.#ended)
      this.#timer = setTimeout(() => this.end(new DeadlineError(this.what, this.ms)), this.ms);
  }

  /** Ends the wait with an error; the work is not waited for any more. */
  end(reason: unknown): void {
    this.#ended = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#fail?.(reason);
  }
}
