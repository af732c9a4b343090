/** Before the first, second and any later start after a death. */
const DELAYS = [0, 1000, 5000];
const WINDOW_MS = 60_000;
export const MOST_DEATHS = 3;

/** When and how the processes of a plugin ended that were still needed. */
export class Deaths {
  readonly #times: number[] = [];
  last: string | undefined;

  get count(): number {
    return this.#times.length;
  }

  get areTooMany(): boolean {
    return this.#recent().length >= MOST_DEATHS;
  }

  add(reason: string): void {
    this.#times.push(performance.now());
    this.last = reason;
  }

  /** Waits as long as the next start has to after those of the last minute. */
  async wait(): Promise<void> {
    const recent = this.#recent().length;
    if (recent > 0) await new Promise((resolve) => setTimeout(resolve, DELAYS[recent - 1] ?? DELAYS.at(-1)));
  }

  #recent(): readonly number[] {
    const since = performance.now() - WINDOW_MS;
    return this.#times.filter((at) => at > since);
  }
}
