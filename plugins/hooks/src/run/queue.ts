/** Lets a bounded number of tasks run at once; the others wait in order. */
export class Queue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await task();
    } finally {
      // Who waits takes over the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
