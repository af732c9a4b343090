import {KernelError} from '@gemini-kernel/kernel';
import type {RunResult, StreamEvent} from '@gemini-kernel/plugin-agent/contract';

/** How a run ended, with the text of the last message. */
export type RunEnd = RunResult & {readonly response: string};

/** Runs one prompt; gives its events as they happen. */
export type Start = (give: (event: StreamEvent) => void, signal: AbortSignal) => Promise<RunEnd>;

/**
 * The events of one prompt, those of `stream-json`; the last one is `result`. The prompt begins with the first step of
 * the iteration, or with `result`; leaving the iteration cancels it. A run is iterated once.
 */
export class Run implements AsyncIterable<StreamEvent> {
  #isTaken = false;

  constructor(
    private readonly start: Start,
    private readonly signal: AbortSignal,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void, undefined> {
    this.#take();
    const queue: StreamEvent[] = [];
    const left = new AbortController();
    let wake = (): void => undefined;
    let isOver = false;
    const running = this.start(
      (event) => {
        queue.push(event);
        wake();
      },
      AbortSignal.any([this.signal, left.signal]),
    ).finally(() => {
      isOver = true;
      wake();
    });
    // An error of the run surfaces where the events end.
    running.catch(() => undefined);
    try {
      while (queue.length > 0 || !isOver) {
        const event = queue.shift();
        if (event) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      await running;
    } finally {
      left.abort(new KernelError('RUN_CANCELLED', 'The program no longer reads the events of this prompt.'));
      await running.catch(() => undefined);
    }
  }

  /** Runs the prompt to its end without looking at events. */
  async result(): Promise<RunEnd> {
    this.#take();
    return this.start(() => undefined, this.signal);
  }

  #take(): void {
    if (this.#isTaken)
      throw new KernelError('SDK_INVALID', 'The events of this prompt were already read.', {
        hint: 'Send the prompt again to run it again.',
      });
    this.#isTaken = true;
  }
}
