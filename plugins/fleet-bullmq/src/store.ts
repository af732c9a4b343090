import type {QueueEvent, QueueItem, QueueLimits, QueueState, Spending} from '@gemini-kernel/plugin-fleet/contract';
import type {Entry} from '@gemini-kernel/plugin-fleet/queues';
import type {Jobs} from './jobs.js';

/** What is known of a queue as a whole. */
export interface Head {
  /** Of the last event. */
  number: number;
  /** Of the newest claim. */
  fence: number;
  /** How many tasks were put. */
  size: number;
  isPaused: boolean;
  limits: QueueLimits;
  counts: Record<QueueState, number>;
  /** Spent by attempts that have ended. */
  ended: Spending;
}

/** A task in the ledger. A result is kept apart from it, and is there when it is saved. */
export interface Row extends Entry {
  /** While it runs: what its worker asked for, and when that ends by the clock of the server, in milliseconds. */
  readonly leaseMs?: number;
  readonly until?: number;
}

/** All that one call reads and writes of a queue, in one step: all of it happens, or nothing. */
export interface Transaction {
  /** As it was when the transaction began; no other one changes it meanwhile, unless this one is light. */
  readonly head: Head;
  /** By the clock of the server, in milliseconds. */
  readonly now: number;
  /** The same tasks as jobs of BullMQ. */
  readonly jobs: Jobs;
  running(): Promise<readonly Row[]>;
  rows(ids: readonly string[]): Promise<readonly Row[]>;
  /** The first in the order of claims that is not of one of these groups. */
  next(full: readonly string[]): Promise<Row | undefined>;
  /** The ids of up to `most` tasks in these states, which are not `running`. */
  idsIn(states: readonly QueueState[], most: number): Promise<readonly string[]>;
  save(changed: {
    readonly head: Head;
    readonly added: readonly Row[];
    readonly rows: readonly {readonly row: Row; readonly before: QueueState}[];
    readonly events: readonly QueueEvent[];
  }): Promise<void>;
}

export interface ListWhat {
  readonly ids?: readonly string[];
  readonly states?: readonly QueueState[];
  readonly after?: string;
  readonly most?: number;
}

export interface ChangeOptions {
  readonly whenAbsent: 'make' | 'refuse';
  /** Changes single rows that no one else changed meanwhile, and not the head: no other one waits for it. */
  readonly isLight?: boolean;
}

/** The ledger of a queue on one kind of server. Its errors are KernelErrors with the codes of queues. */
export interface Store {
  /**
   * Runs `act` in a transaction, and again if another one was faster. Makes a queue that is not there, or throws
   * QUEUE_ABSENT.
   */
  change<T>(act: (transaction: Transaction) => Promise<T>, options: ChangeOptions): Promise<T>;
  list(what: ListWhat): Promise<readonly QueueItem[]>;
  /** At most some hundreds, with higher numbers than `after`. */
  events(after: number): Promise<readonly QueueEvent[]>;
  close(): Promise<void>;
}

export const newHead = (): Head => ({
  ...{number: 0, fence: 0, size: 0, isPaused: false, limits: {}},
  counts: {waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0},
  ended: {tokens: 0, cost: 0},
});
