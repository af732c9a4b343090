import type {Tell} from '../contract/notice.js';
import {RunningCalls} from './running-calls.js';

/** What goes on side by side, and what has to wait until nothing does. */
export interface Running {
  /** Runs an act; it waits while something that needs quiet is at work. */
  during<T>(act: () => Promise<T>): Promise<T>;
  /** Runs an act once no other is running. */
  whenIdle(act: () => Promise<void>): Promise<void>;
  /** The calls among them. */
  readonly calls: RunningCalls;
}

/** Makes the account of what is running in a kernel. */
export function createRunning(tell: Tell): Running {
  let count = 0;
  /** Settles, whatever became of the act, when what needs quiet has ended. */
  let quiet: Promise<void> | undefined;
  const waiting: (() => void)[] = [];
  return {
    calls: new RunningCalls(tell),
    async during(act) {
      // A call that is made by a running one must not wait for what waits for the latter.
      while (count === 0 && quiet) await quiet;
      count += 1;
      try {
        return await act();
      } finally {
        count -= 1;
        if (count === 0) for (const wake of waiting.splice(0)) wake();
      }
    },
    async whenIdle(act) {
      while (quiet || count > 0) await (quiet ?? new Promise<void>((resolve) => waiting.push(resolve)));
      const acting = act();
      const end = (): void => void (quiet = undefined);
      quiet = acting.then(end, end);
      await acting;
    },
  };
}
