/** Lets a bounded number of agents work at once; the others wait in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async during<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    await this.#take(signal);
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(go);
      signal.addEventListener('abort', leave, {once: true});
    });
  }
}
