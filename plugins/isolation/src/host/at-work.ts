const HEART_MS = 5000;

interface AtWorkParts {
  /** Called every five seconds while something is at work. */
  beat(): void;
  /** Called after each call, with the time in which something was at work, once nothing is any more. */
  ended(busyMs: number): void;
}

/** The calls that are at work in one process. */
export class AtWork {
  #calls = 0;
  #since = 0;
  #heart: NodeJS.Timeout | undefined;

  constructor(private readonly parts: AtWorkParts) {}

  get isIdle(): boolean {
    return this.#calls === 0;
  }

  enter(): void {
    if (this.isIdle) this.#since = performance.now();
    this.#calls += 1;
    this.#heart ??= setInterval(() => this.parts.beat(), HEART_MS);
  }

  leave(): void {
    this.#calls -= 1;
    if (this.isIdle) this.stop();
    this.parts.ended(this.isIdle ? performance.now() - this.#since : 0);
  }

  /** No beat comes any more. */
  stop(): void {
    clearInterval(this.#heart);
    this.#heart = undefined;
  }
}
