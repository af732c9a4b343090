import type {} from '@gemini-kernel/kernel';

/** What a task used. */
export interface Spending {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** Something to be done once. Two tasks with the same id are the same task. */
export interface QueueTask {
  readonly id: string;
  /** What a worker needs to do it. At most 64 KiB as JSON; a queue refuses more. */
  readonly payload: unknown;
  /** Tasks with a higher one come first; 0 if left out. Among equals, the order of `put` counts. */
  readonly priority?: number;
  /** Tasks of one group share `QueueLimits.perGroup`. */
  readonly group?: string;
  /** How often it is begun at most before it has failed; 1 if left out. */
  readonly attempts?: number;
  /** An estimate of what it uses. Reserved while a worker has it. */
  readonly reserve?: Partial<Spending>;
}

export type QueueState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** Why a task failed. */
export interface QueueFault {
  readonly code: string;
  readonly message: string;
}

/** A task and what became of it. */
export interface QueueItem {
  readonly task: QueueTask;
  readonly state: QueueState;
  /** How often it was begun, without those that were given back. */
  readonly attempt: number;
  /** Of all attempts. */
  readonly spent: Spending;
  /** Who has it, while it runs. */
  readonly worker?: string;
  /** What `finish` was given. */
  readonly result?: unknown;
  /** Of the last attempt, unless it is done. */
  readonly fault?: QueueFault;
  /** What the last attempt left for the next one. */
  readonly note?: unknown;
}

/** What the holder of a task says with everything that it does to it. */
export interface Mark {
  readonly id: string;
  /** Grows with each claim of a queue. Of a task, only the newest counts. */
  readonly fence: number;
}

export interface Claim extends Mark {
  readonly task: QueueTask;
  readonly attempt: number;
  /** What it may use at most: what was reserved for it. Undefined without a limit. */
  readonly reserved?: Partial<Spending>;
  /** Of the attempt before. */
  readonly note?: unknown;
}

/**
 * Why a worker gets no task: none waits (`empty`: none runs either), the queue is paused, its budget is used up, or the
 * group of each task that waits has as many workers as it may have.
 */
export type Idle = 'empty' | 'waiting' | 'paused' | 'budget' | 'groups';

/** What the holder of a task has to do: continue, or end it since it was cancelled, or since the queue was paused. */
export type Order = 'continue' | 'cancel' | 'pause';

/**
 * What becomes of a task after a failed attempt: it is tried again if it has attempts left, it is given back as if it
 * had not been begun, or it has failed.
 */
export type Next = 'retry' | 'return' | 'end';

export interface QueueLimits {
  /** For all tasks together. At the limit, no task is given out, and those that run are paused. */
  readonly budget?: Partial<Spending>;
  /** Tasks of one group at a time. */
  readonly perGroup?: number;
}

export interface Counts extends Readonly<Record<QueueState, number>> {
  readonly spent: Spending;
  readonly reserved: Spending;
  readonly isPaused: boolean;
  readonly limits: QueueLimits;
}

/** Something that happened in a queue. Numbers grow; what is too old to be kept is left out. */
export interface QueueEvent {
  readonly number: number;
  /** ISO, by the clock of the queue. */
  readonly at: string;
  readonly kind:
    | 'added'
    | 'changed'
    | 'started'
    | 'progress'
    | 'finished'
    | 'failed'
    | 'lost'
    | 'returned'
    | 'cancelled'
    | 'retried'
    | 'set';
  /** Of the task; absent for `added`, `changed` and `set`. */
  readonly id?: string;
  readonly worker?: string;
  readonly attempt?: number;
  readonly spent?: Spending;
  readonly fault?: QueueFault;
  /** Of `added` and `changed`: how many. */
  readonly count?: number;
}

/**
 * The service `queue:<engine>`: a queue of tasks for workers. Each method begins with the address of a queue: a folder
 * for `queue:local`, an URL for an engine between machines. All values are JSON. Leases are measured by the clock of
 * the queue alone. `@gemini-kernel/plugin-fleet/testing` has the cases that an engine passes.
 *
 * Methods that take a `Mark` throw KernelError QUEUE_FENCE_LOST when another attempt counts now, and nothing changes.
 * All throw QUEUE_UNREACHABLE or QUEUE_UNWRITABLE where the queue cannot keep what they say: it did not happen.
 */
export interface QueueEngine {
  /**
   * Adds the tasks that it does not have yet, all or none. Known ones that are not done get the payload, attempts and
   * reserve that they have now, from their next claim on. Throws KernelError QUEUE_TASK_INVALID.
   */
  put(address: string, tasks: readonly QueueTask[]): Promise<{readonly added: number; readonly known: number}>;
  /** Gives a task to a worker for `leaseMs` from now; `beat` renews it. */
  claim(
    address: string,
    worker: {readonly name: string; readonly leaseMs: number},
  ): Promise<{readonly claim: Claim} | {readonly idle: Idle}>;
  /** Renews the lease. `spent` is that of this attempt so far; `note` is for the next one. */
  beat(
    address: string,
    mark: Mark,
    said?: {readonly spent?: Spending; readonly note?: unknown},
  ): Promise<{readonly order: Order}>;
  /** Keeps the result, in one step with what was spent. The same mark twice is no fault: the first counts. */
  finish(address: string, mark: Mark, end: {readonly result: unknown; readonly spent: Spending}): Promise<void>;
  /** Ends an attempt without a result. Gives the state of the task from now on. */
  fail(
    address: string,
    mark: Mark,
    end: {readonly fault: QueueFault; readonly next: Next; readonly spent: Spending; readonly note?: unknown},
  ): Promise<{readonly state: QueueState}>;
  /**
   * Cancels tasks that wait; holders of those that run hear of it at their next beat. Without ids, all. Gives how many.
   */
  cancel(address: string, ids?: readonly string[]): Promise<number>;
  /** Has tasks wait again that failed or were cancelled, with all their attempts. Without ids, all. Gives how many. */
  retry(address: string, ids?: readonly string[]): Promise<number>;
  /** Pauses the queue or ends the pause, and sets limits; what is left out stays. */
  set(address: string, what: {readonly isPaused?: boolean; readonly limits?: QueueLimits}): Promise<void>;
  /** Tasks in the order of `put`: at most `most` after one of them. */
  list(
    address: string,
    what: {
      readonly ids?: readonly string[];
      readonly states?: readonly QueueState[];
      readonly after?: string;
      readonly most?: number;
    },
  ): Promise<readonly QueueItem[]>;
  counts(address: string): Promise<Counts>;
  /** Events with a higher number than `after`, and then those that come, until its reader leaves. */
  watch(address: string, after: number): AsyncIterable<QueueEvent>;
  /** Lets go of a queue. Tasks that run are not given back: their leases end. */
  close(address: string): Promise<void>;
}

/** What a run of a fleet says to the worker that started it. For use within this process. */
export interface FleetWorker {
  /** A request used these tokens. */
  used(tokens: number): Promise<void>;
  /** Resolves when a request may be made. */
  turn(signal: AbortSignal): Promise<void>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'fleet-worker': FleetWorker;
    'queue:local': QueueEngine;
    [engine: `queue:${string}`]: QueueEngine;
  }
}
