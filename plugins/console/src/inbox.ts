import type {InputView} from './line-input.js';

/** A text that was sent, and how it was seen when it was. */
export interface Sent {
  readonly text: string;
  readonly view: InputView;
}

/** What the person has sent and nobody has dealt with yet, in order. */
export class Inbox {
  readonly #waiting: Sent[] = [];
  #taker: ((text: string | undefined) => void) | undefined;
  #hasEnded = false;

  /** Whether somebody waits for the next text, which is then dealt with at once. */
  get isAwaited(): boolean {
    return this.#taker !== undefined;
  }

  get count(): number {
    return this.#waiting.length;
  }

  send(sent: Sent): void {
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker(sent.text);
    else this.#waiting.push(sent);
  }

  /** The next text that was sent while nobody waited. */
  take(): Sent | undefined {
    return this.#waiting.shift();
  }

  /** The next text to come; undefined when none will. */
  next(): Promise<string | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#taker = resolve;
    });
  }

  /** Everything that waits, taken back. */
  takeBack(): readonly string[] {
    return this.#waiting.splice(0).map(({text}) => text);
  }

  /** Nothing more will be sent; what waits is still dealt with. */
  end(): void {
    this.#hasEnded = true;
    this.#taker?.(undefined);
    this.#taker = undefined;
  }
}
