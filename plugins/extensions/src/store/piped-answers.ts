import type {Readable} from 'node:stream';

/** How long an answer may take to come. */
const LIMIT_MS = 10_000;
/** A longer line is no answer. */
const LONGEST = 16_000;

/**
 * Answers that a script gives on standard input, one a line. The end of the input, silence and a line that is too long
 * are no answer.
 */
export class PipedAnswers {
  #rest = '';
  #isOver = false;

  constructor(
    private readonly input: NodeJS.ReadableStream,
    private readonly limitMs = LIMIT_MS,
  ) {}

  /** The next line; undefined at the end of the input. Throws the reason of the signal. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    while (!this.#isOver && !this.#rest.includes('\n') && this.#rest.length <= LONGEST)
      this.#isOver = !(await this.#read(signal));
    const end = this.#rest.indexOf('\n');
    const line = end < 0 ? this.#rest : this.#rest.slice(0, end);
    this.#rest = end < 0 ? '' : this.#rest.slice(end + 1);
    return (end < 0 && line === '') || line.length > LONGEST ? undefined : line.trim();
  }

  /** The input no longer keeps the program running. */
  close(): void {
    this.#isOver = true;
    (this.input as Partial<{destroy(): void}>).destroy?.();
  }

  /** Takes the next piece of the input; returns whether there was one. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const {input} = this;
    signal.throwIfAborted();
    if ((input as Partial<Readable>).readableEnded === true) return false;
    let finish: (isMore: boolean) => void = () => undefined;
    const onData = (chunk: Buffer | string): void => {
      // At once: more pieces may follow before anything else runs.
      input.pause();
      this.#rest += chunk.toString();
      finish(true);
    };
    const onEnd = (): void => finish(false);
    const timer = setTimeout(onEnd, this.limitMs);
    try {
      return await new Promise((resolve, reject) => {
        finish = resolve;
        // A standard input that cannot be read gives no answer.
        input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
        signal.addEventListener('abort', () => reject(signal.reason as Error), {once: true});
        input.resume();
      });
    } finally {
      clearTimeout(timer);
      input.pause();
      for (const event of ['end', 'close', 'error']) input.off(event, onEnd);
      input.off('data', onData);
    }
  }
}
