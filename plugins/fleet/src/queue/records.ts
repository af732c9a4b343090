import type {QueueFault, QueueLimits, QueueState, QueueTask, Spending} from '../contract.js';

interface Numbered {
  readonly number: number;
  /** ISO. */
  readonly at: string;
}

/** What happens in a queue, without its number and time. */
export type Change =
  | {readonly kind: 'added'; readonly tasks: readonly QueueTask[]}
  | {readonly kind: 'changed'; readonly tasks: readonly QueueTask[]}
  | {
      readonly kind: 'started';
      readonly id: string;
      readonly fence: number;
      readonly worker: string;
      readonly attempt: number;
      readonly reserved?: Partial<Spending>;
    }
  | {readonly kind: 'progress'; readonly id: string; readonly spent?: Spending; readonly note?: unknown}
  | {readonly kind: 'finished'; readonly id: string; readonly spent: Spending; readonly result: unknown}
  | {
      readonly kind: 'failed' | 'lost' | 'returned';
      readonly id: string;
      readonly state: QueueState;
      readonly fault: QueueFault;
      readonly spent?: Spending;
      readonly note?: unknown;
    }
  | {readonly kind: 'cancelled' | 'retried'; readonly id: string}
  | {readonly kind: 'set'; readonly isPaused?: boolean; readonly limits?: QueueLimits};

/** A line of the journal. */
export type ChangeRecord = Numbered & Change;

/** A task as a compacted journal has it. */
export interface Kept {
  readonly task: QueueTask;
  readonly state: QueueState;
  readonly attempt: number;
  readonly fence: number;
  readonly spent: Spending;
  readonly worker?: string;
  /** Of the attempt that runs. */
  readonly current?: Spending;
  readonly reserved?: Partial<Spending>;
  readonly isCancelled?: boolean;
  readonly result?: unknown;
  readonly fault?: QueueFault;
  readonly note?: unknown;
}

/** The first line of a journal that was compacted; a line for each task follows. */
export interface SnapshotRecord extends Numbered {
  readonly kind: 'snapshot';
  readonly fence: number;
  readonly isPaused: boolean;
  readonly limits: QueueLimits;
}

export type JournalLine = ChangeRecord | SnapshotRecord | {readonly kind: 'kept'; readonly kept: Kept};
