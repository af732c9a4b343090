export interface Spending {
  readonly tokens: number;
  readonly cost: number;
}
export interface QueueTask {
  readonly id: string;
  readonly payload: unknown;
  readonly priority?: number;
  readonly group?: string;
  readonly attempts?: number;
  readonly reserve?: Partial<Spending>;
}
export type QueueState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export interface QueueFault {
  readonly code: string;
  readonly message: string;
}
export interface QueueItem {
  readonly task: QueueTask;
  readonly state: QueueState;
  readonly attempt: number;
  readonly spent: Spending;
  readonly worker?: string;
  readonly result?: unknown;
  readonly fault?: QueueFault;
  readonly note?: unknown;
}
export interface Mark {
  readonly id: string;
  readonly fence: number;
}
export interface Claim extends Mark {
  readonly task: QueueTask;
  readonly attempt: number;
  readonly reserved?: Partial<Spending>;
  readonly note?: unknown;
}
export type Idle = 'empty' | 'waiting' | 'paused' | 'budget' | 'groups';
export type Order = 'continue' | 'cancel' | 'pause';
export type Next = 'retry' | 'return' | 'end';
export interface QueueLimits {
  readonly budget?: Partial<Spending>;
  readonly perGroup?: number;
}
export interface Counts extends Readonly<Record<QueueState, number>> {
  readonly spent: Spending;
  readonly reserved: Spending;
  readonly isPaused: boolean;
  readonly limits: QueueLimits;
}
export interface QueueEvent {
  readonly number: number;
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
  readonly id?: string;
  readonly worker?: string;
  readonly attempt?: number;
  readonly spent?: Spending;
  readonly fault?: QueueFault;
  readonly count?: number;
}
export interface QueueEngine {
  put(
    address: string,
    tasks: readonly QueueTask[],
  ): Promise<{
    readonly added: number;
    readonly known: number;
  }>;
  claim(
    address: string,
    worker: {
      readonly name: string;
      readonly leaseMs: number;
    },
  ): Promise<
    | {
        readonly claim: Claim;
      }
    | {
        readonly idle: Idle;
      }
  >;
  beat(
    address: string,
    mark: Mark,
    said?: {
      readonly spent?: Spending;
      readonly note?: unknown;
    },
  ): Promise<{
    readonly order: Order;
  }>;
  finish(
    address: string,
    mark: Mark,
    end: {
      readonly result: unknown;
      readonly spent: Spending;
    },
  ): Promise<void>;
  fail(
    address: string,
    mark: Mark,
    end: {
      readonly fault: QueueFault;
      readonly next: Next;
      readonly spent: Spending;
      readonly note?: unknown;
    },
  ): Promise<{
    readonly state: QueueState;
  }>;
  cancel(address: string, ids?: readonly string[]): Promise<number>;
  retry(address: string, ids?: readonly string[]): Promise<number>;
  set(
    address: string,
    what: {
      readonly isPaused?: boolean;
      readonly limits?: QueueLimits;
    },
  ): Promise<void>;
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
  watch(address: string, after: number): AsyncIterable<QueueEvent>;
  close(address: string): Promise<void>;
}
export interface FleetWorker {
  used(tokens: number): Promise<void>;
  turn(signal: AbortSignal): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    'fleet-worker': FleetWorker;
    'queue:local': QueueEngine;
    [engine: `queue:${string}`]: QueueEngine;
  }
}
