import type {Line, LineEnd, SentLine} from '../contract.js';

/** A waiting line, and how to run it. */
export interface WaitingLine {
  readonly line: SentLine;
  readonly attached: Line['attached'];
  readonly act: (() => Promise<void>) | undefined;
  /** Settles the promise of its sender. */
  readonly resolve: (end: LineEnd) => void;
  readonly reject: (error: unknown) => void;
}

/** Submitted lines that have not started, in order. */
export class LineQueue {
  #waiting: WaitingLine[] = [];

  get lines(): readonly SentLine[] {
    return this.#waiting.map(({line}) => line);
  }

  add(waiting: WaitingLine): void {
    this.#waiting.push(waiting);
  }

  take(): WaitingLine | undefined {
    return this.#waiting.shift();
  }

  /** Removes all of them, or one; their senders learn that they were withdrawn. */
  withdraw(id?: string): readonly SentLine[] {
    const out = this.#waiting.filter(({line}) => id === undefined || line.id === id);
    this.#waiting = this.#waiting.filter((one) => !out.includes(one));
    for (const {resolve} of out) resolve({kind: 'withdrawn'});
    return out.map(({line}) => line);
  }
}
