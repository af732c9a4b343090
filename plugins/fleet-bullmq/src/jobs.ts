import type {IQueueBackend, JobJson, MinimalJob} from 'bullmq';
import type {QueueTask} from '@gemini-kernel/plugin-fleet/contract';
import type {Row} from './store.js';

/** BullMQ has the most urgent at 1, and 2^21 priorities in all. */
const MIDDLE = 2 ** 20;
/** A lock outlives the lease it stands for: the ledger says first that a worker is lost. */
const LOCK_MORE_MS = 60_000;
/** How often it is extended; well within that. */
const LOCK_STEP_MS = 20_000;
/** A token that BullMQ takes for the lock of anyone. */
const ANY = '0';
const STALE = 'It was left active by an attempt that does not count.';

/** A job as BullMQ has it now. */
export interface FoundJob {
  readonly state: string;
  readonly token: string | undefined;
}

/**
 * The tasks of a queue as jobs of BullMQ: a job waits, is active, completed or failed as its task is, and the lock of
 * an active one has the fence of its claim as token. The ledger decides; a job that others have moved is put right when
 * its task is given out again.
 */
export class Jobs {
  constructor(
    private readonly backend: IQueueBackend,
    private readonly find: (jobId: string) => Promise<FoundJob>,
  ) {}

  /** Whether the queue was paused with a tool for BullMQ. */
  async isPaused(): Promise<boolean> {
    return (await this.backend.getQueueMetaField('paused')) === '1';
  }

  async add(tasks: readonly QueueTask[]): Promise<void> {
    await this.backend.addJobs(tasks.map((task) => ({job: jobOf(task), jobId: idOf(task)})));
  }

  /** Has BullMQ give out exactly this job next, and gives it out. */
  async start({task, fence, worker = '', leaseMs = 0}: Row): Promise<void> {
    const jobId = idOf(task);
    const {state} = await this.find(jobId);
    if (state !== 'waiting' && state !== 'prioritized') await this.#putRight(task, state);
    await this.backend.changePriority(jobId, 0, true);
    await this.backend.moveToActive(String(fence), worker);
    await this.backend.extendLock(jobId, String(fence), leaseMs + LOCK_MORE_MS);
  }

  /** Not at each beat: the lock has time to spare. */
  async extend({task, fence, leaseMs = 0, until = 0}: Row, now: number): Promise<void> {
    if (Math.floor(until / LOCK_STEP_MS) === Math.floor((now + leaseMs) / LOCK_STEP_MS)) return;
    await this.backend.extendLock(idOf(task), String(fence), leaseMs + LOCK_MORE_MS);
  }

  /** Its attempt is over; the row says how. */
  async end({task, fence, state, spent, fault}: Row): Promise<void> {
    const jobId = idOf(task);
    const found = await this.find(jobId);
    if (found.state !== 'active') return;
    const token = found.token === String(fence) ? String(fence) : ANY;
    const job = endingOf(task);
    if (state === 'done') await this.backend.moveToCompleted(job, {spent}, false, token, false);
    else if (state === 'waiting') {
      await this.backend.retryJob(jobId, false, token);
      await this.backend.changePriority(jobId, priorityOf(task));
    } else await this.backend.moveToFailed(job, fault?.message ?? state, false, token, false);
  }

  /** Takes jobs away that do not run. */
  async remove(tasks: readonly QueueTask[]): Promise<void> {
    for (const task of tasks) await this.backend.remove(idOf(task), false);
  }

  /** What BullMQ has of a task that waits is not what it should have. */
  async #putRight(task: QueueTask, state: string): Promise<void> {
    if (state === 'active') await this.backend.moveToFailed(endingOf(task), STALE, false, ANY, false);
    await this.backend.remove(idOf(task), false);
    await this.add([task]);
  }
}

/** The same for each id, and another one for each: BullMQ has a meaning for `:`. */
function idOf({id}: QueueTask): string {
  return `task.${id.replaceAll(':', '~')}`;
}

/** What the backends read of a job that ends. */
function endingOf(task: QueueTask): MinimalJob {
  return {id: idOf(task), opts: {attempts: task.attempts ?? 1}} as unknown as MinimalJob;
}

function priorityOf({priority = 0}: QueueTask): number {
  return Math.min(2 * MIDDLE, Math.max(1, MIDDLE - priority));
}

/** What it is about stays in the ledger. */
function jobOf(task: QueueTask): JobJson {
  const {id, attempts = 1} = task;
  const opts = {attempts, priority: priorityOf(task)};
  const fields = {id: idOf(task), name: 'task', data: JSON.stringify({id}), opts, timestamp: Date.now()};
  // The rest of a job is what becomes of it.
  return {...fields, attemptsMade: 0} as unknown as JobJson;
}
