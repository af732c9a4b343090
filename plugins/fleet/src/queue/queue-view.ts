import type {QueueLimits, QueueState, QueueTask, Spending} from '../contract.js';
import type {Entry} from './tasks.js';

/** What has to be known of a queue to decide about it. */
export interface QueueView {
  readonly isPaused: boolean;
  readonly limits: QueueLimits;
  /** Of the newest claim. */
  readonly fence: number;
  readonly waiting: {
    /** The first in the order of claims that `isFree` says yes to. */
    find(isFree: (task: QueueTask) => boolean): QueueTask | undefined;
  };
  count(state: QueueState): number;
  get(id: string): Entry | undefined;
  runningIn(group: string): number;
  /** What was spent, and what is held for tasks that run. */
  spending(): {readonly spent: Spending; readonly reserved: Spending};
}
