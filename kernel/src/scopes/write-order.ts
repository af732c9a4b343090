import type {Uses} from './uses.js';

/** One act that changes things, while it has its turn. */
export class Turn {
  /** The order of calls that this act makes. */
  readonly inner: WriteOrder;
  readonly #held = new Set<string>();

  constructor(private readonly uses: Uses) {
    this.inner = new WriteOrder(uses);
  }

  /** Notes a service that the act was given. */
  hold(service: string): void {
    this.#held.add(service);
  }

  /** Whether a caller is one of the services that the act was given, or one that these use. */
  holds(callers: readonly string[]): boolean {
    return this.uses.reaches(this.#held, callers);
  }
}

/**
 * Runs acts that change things one after the other. A call that a running act makes, itself or by a service that it
 * was given, takes part in its turn: it would wait for itself otherwise.
 */
export class WriteOrder {
  #last: Promise<unknown> = Promise.resolve();
  #current: Turn | undefined;

  constructor(private readonly uses: Uses) {}

  /** The innermost running act that made a call of these callers, if one did. */
  find(callers: readonly string[]): Turn | undefined {
    const current = this.#current;
    if (!current || callers.length === 0) return undefined;
    return current.inner.find(callers) ?? (current.holds(callers) ? current : undefined);
  }

  run<T>(act: (turn: Turn) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const turn = new Turn(this.uses);
      this.#current = turn;
      try {
        return await act(turn);
      } finally {
        this.#current = undefined;
      }
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}
