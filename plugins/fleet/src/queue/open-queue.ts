import type {
  Claim,
  Counts,
  Idle,
  Mark,
  Next,
  Order,
  QueueFault,
  QueueLimits,
  QueueState,
  QueueTask,
  Spending,
} from '../contract.js';
import {checkTasks} from './check-tasks.js';
import {decideClaim, decideFail, decideLost, orderFor, requireHeld} from './decide.js';
import type {Journal} from './journal.js';
import {Leases} from './leases.js';
import {sortPut} from './sort-put.js';
import type {Entry, QueueTasks} from './tasks.js';

/** The queue of one folder, in the process that owns it. */
export class OpenQueue {
  readonly #leases = new Leases();

  private constructor(private readonly journal: Journal) {}

  /** Takes the queue over: what ran belonged to a process that is gone, and is given back. */
  static async over(journal: Journal): Promise<OpenQueue> {
    const fault = {code: 'COORDINATOR_GONE', message: 'The process that ran it has ended.'};
    await Promise.all(
      [...journal.tasks.running()].map(({task: {id}, isCancelled}) =>
        journal.commit({kind: 'returned', id, fault, state: isCancelled ? 'cancelled' : 'waiting'}),
      ),
    );
    return new OpenQueue(journal);
  }

  get tasks(): QueueTasks {
    return this.journal.tasks;
  }

  async put(tasks: readonly QueueTask[]): Promise<{readonly added: number; readonly known: number}> {
    checkTasks(tasks);
    const {fresh, changed} = sortPut(this.tasks, tasks);
    if (fresh.length > 0) await this.journal.commit({kind: 'added', tasks: fresh});
    if (changed.length > 0) await this.journal.commit({kind: 'changed', tasks: changed});
    return {added: fresh.length, known: tasks.length - fresh.length};
  }

  async claim(worker: {
    readonly name: string;
    readonly leaseMs: number;
  }): Promise<{readonly claim: Claim} | {readonly idle: Idle}> {
    await this.#takeBackLost();
    const change = decideClaim(this.tasks, worker.name);
    if ('idle' in change) return change;
    const {id, fence, attempt, reserved} = change;
    const {task, note} = this.tasks.get(id) as Entry;
    this.#leases.begin(id, fence, worker.leaseMs);
    await this.journal.commit(change);
    const more = {...(reserved === undefined ? {} : {reserved}), ...(note === undefined ? {} : {note})};
    return {claim: {id, fence, attempt, task, ...more}};
  }

  async beat(
    mark: Mark,
    {spent, note}: {readonly spent?: Spending; readonly note?: unknown} = {},
  ): Promise<{readonly order: Order}> {
    await this.#takeBackLost();
    requireHeld(this.tasks, mark);
    this.#leases.renew(mark.id);
    const said = {...(spent === undefined ? {} : {spent}), ...(note === undefined ? {} : {note})};
    if (Object.keys(said).length > 0)
      await this.journal.commit({kind: 'progress', id: mark.id, ...said}, {isDurable: false});
    return {order: orderFor(this.tasks, requireHeld(this.tasks, mark))};
  }

  async finish(mark: Mark, {result, spent}: {readonly result: unknown; readonly spent: Spending}): Promise<void> {
    await this.#takeBackLost();
    const entry = this.tasks.get(mark.id);
    // The answer to the first call may have been lost.
    if (entry?.state === 'done' && entry.fence === mark.fence) return;
    requireHeld(this.tasks, mark);
    await this.journal.commit({kind: 'finished', id: mark.id, result, spent});
    this.#leases.end(mark.id);
  }

  async fail(
    mark: Mark,
    end: {readonly fault: QueueFault; readonly next: Next; readonly spent: Spending; readonly note?: unknown},
  ): Promise<{readonly state: QueueState}> {
    await this.#takeBackLost();
    const change = decideFail(this.tasks, mark, end);
    await this.journal.commit(change);
    this.#leases.end(mark.id);
    return {state: change.state};
  }

  async cancel(ids?: readonly string[]): Promise<number> {
    const asked = this.#those(
      ids,
      ({state, isCancelled}) => state === 'waiting' || (state === 'running' && !isCancelled),
    );
    await Promise.all(asked.map((id) => this.journal.commit({kind: 'cancelled', id})));
    return asked.length;
  }

  async retry(ids?: readonly string[]): Promise<number> {
    const asked = this.#those(ids, ({state}) => state === 'failed' || state === 'cancelled');
    await Promise.all(asked.map((id) => this.journal.commit({kind: 'retried', id})));
    return asked.length;
  }

  async set(what: {readonly isPaused?: boolean; readonly limits?: QueueLimits}): Promise<void> {
    await this.journal.commit({kind: 'set', ...what});
  }

  async counts(): Promise<Counts> {
    await this.#takeBackLost();
    return this.tasks.counts();
  }

  async close(): Promise<void> {
    await this.journal.close();
  }

  #those(ids: readonly string[] | undefined, isMeant: (entry: Entry) => boolean): readonly string[] {
    const entries = ids === undefined ? [...this.tasks.all()] : ids.map((id) => this.tasks.get(id));
    return entries.flatMap((entry) => (entry && isMeant(entry) ? [entry.task.id] : []));
  }

  /** Leases are looked at whenever someone speaks: a queue needs no clock of its own. */
  async #takeBackLost(): Promise<void> {
    const lost = this.#leases.overdue();
    for (const id of lost) this.#leases.end(id);
    await Promise.all(
      lost.flatMap((id) => {
        const entry = this.tasks.get(id);
        return entry?.state === 'running' ? [this.journal.commit(decideLost(entry))] : [];
      }),
    );
  }
}
