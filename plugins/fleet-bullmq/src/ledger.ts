import type {QueueEvent, QueueState, QueueTask, Spending} from '@gemini-kernel/plugin-fleet/contract';
import {
  decideLost,
  entryAfter,
  eventOf,
  newEntry,
  NOTHING,
  plus,
  rest,
  type Change,
  type TaskChange,
  type QueueView,
} from '@gemini-kernel/plugin-fleet/queues';
import type {Head, Row, Transaction} from './store.js';

/** A queue within one transaction: what was read of it, and what changes. */
export class Ledger implements QueueView {
  readonly #head: Head;
  readonly #rows = new Map<string, Row>();
  readonly #running = new Map<string, Row>();
  readonly #before = new Map<string, QueueState>();
  readonly #added: Row[] = [];
  readonly #events: QueueEvent[] = [];
  #next: Row | undefined;

  private constructor(readonly transaction: Transaction) {
    this.#head = structuredClone(transaction.head);
  }

  static async open(transaction: Transaction): Promise<Ledger> {
    const ledger = new Ledger(transaction);
    for (const row of await transaction.running()) {
      ledger.#rows.set(row.task.id, row);
      ledger.#running.set(row.task.id, row);
    }
    return ledger;
  }

  /** Tasks whose leases have ended. */
  lost(): readonly Row[] {
    return [...this.#running.values()].filter(({until = 0}) => until < this.transaction.now);
  }

  /** Ends the attempts whose leases have ended; gives how many. */
  async takeBackLost(): Promise<number> {
    const lost = this.lost();
    for (const row of lost) await this.end(decideLost(row));
    return lost.length;
  }

  runningIds(): readonly string[] {
    return [...this.#running.keys()];
  }

  get isPaused(): boolean {
    return this.#head.isPaused;
  }

  get limits(): Head['limits'] {
    return this.#head.limits;
  }

  get fence(): number {
    return this.#head.fence;
  }

  readonly waiting = {
    find: (isFree: (task: QueueTask) => boolean): QueueTask | undefined =>
      this.#next && isFree(this.#next.task) ? this.#next.task : undefined,
  };

  count(state: QueueState): number {
    return this.#head.counts[state];
  }

  counts(): Head['counts'] {
    return this.#head.counts;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  runningIn(group: string): number {
    return [...this.#running.values()].filter(({task}) => task.group === group).length;
  }

  spending(): {readonly spent: Spending; readonly reserved: Spending} {
    let [spent, reserved] = [this.#head.ended, NOTHING];
    for (const {current = NOTHING, reserved: held = NOTHING} of this.#running.values()) {
      spent = plus(spent, current);
      reserved = plus(reserved, rest(held, current));
    }
    return {spent, reserved};
  }

  /** Reads tasks, so that `get` has them. */
  async read(ids: readonly string[]): Promise<void> {
    const unread = ids.filter((id) => !this.#rows.has(id));
    if (unread.length === 0) return;
    for (const row of await this.transaction.rows(unread)) this.#rows.set(row.task.id, row);
  }

  /** Reads the task that is given out next, so that `waiting` has it. */
  async readNext(): Promise<void> {
    const {perGroup = Infinity} = this.limits;
    const groups = new Set([...this.#running.values()].flatMap(({task}) => task.group ?? []));
    this.#next = await this.transaction.next([...groups].filter((group) => this.runningIn(group) >= perGroup));
    if (this.#next) this.#rows.set(this.#next.task.id, this.#next);
  }

  async add(tasks: readonly QueueTask[]): Promise<void> {
    const rows = tasks.map((task, index) => newEntry(task, this.#head.size + index));
    this.#added.push(...rows);
    this.#head.size += rows.length;
    this.#head.counts.waiting += rows.length;
    this.#say({kind: 'added', tasks});
    await this.transaction.jobs.add(tasks);
  }

  /** Gives known tasks what their next claims tell. */
  replace(tasks: readonly QueueTask[]): void {
    for (const task of tasks) this.#keep({...(this.#rows.get(task.id) as Row), task});
    this.#say({kind: 'changed', tasks});
  }

  set(what: {readonly isPaused?: boolean; readonly limits?: Head['limits']}): void {
    this.#head.isPaused = what.isPaused ?? this.#head.isPaused;
    this.#head.limits = what.limits ?? this.#head.limits;
    this.#say({kind: 'set', ...what});
  }

  async start(change: TaskChange & {readonly kind: 'started'}, leaseMs: number): Promise<Row> {
    this.#head.fence = change.fence;
    const row = {...this.#change(change), leaseMs, until: this.transaction.now + leaseMs};
    this.#keep(row);
    await this.transaction.jobs.start(row);
    return row;
  }

  async renew(row: Row, said?: TaskChange & {readonly kind: 'progress'}): Promise<void> {
    const changed = said ? this.#change(said) : row;
    this.#keep({...changed, until: this.transaction.now + (row.leaseMs ?? 0)});
    await this.transaction.jobs.extend(row, this.transaction.now);
  }

  /** Ends the attempt of a task that runs. */
  async end(change: TaskChange & {readonly kind: 'finished' | 'failed' | 'returned' | 'lost'}): Promise<void> {
    const row = this.#change(change);
    this.#keep(row);
    await this.transaction.jobs.end(row);
  }

  /** Changes tasks that do not run, or whose workers have to hear of it. */
  async mark(kind: 'cancelled' | 'retried', ids: readonly string[]): Promise<void> {
    const rows = ids.map((id) => this.#change({kind, id}));
    rows.forEach((row) => this.#keep(row));
    const tasks = rows.filter(({state}) => state !== 'running').map(({task}) => task);
    await this.transaction.jobs.remove(tasks);
    if (kind === 'retried' && tasks.length > 0) await this.transaction.jobs.add(tasks);
  }

  /** Writes what has changed. */
  async write(): Promise<void> {
    const rows = [...this.#before].map(([id, before]) => ({row: this.#rows.get(id) as Row, before}));
    if (rows.length + this.#added.length + this.#events.length === 0) return;
    await this.transaction.save({head: this.#head, added: this.#added, rows, events: this.#events});
  }

  #change(change: TaskChange): Row {
    this.#say(change);
    return entryAfter(this.#rows.get(change.id) as Row, change);
  }

  #keep(row: Row): void {
    const {id} = row.task;
    const before = this.#rows.get(id) as Row;
    if (!this.#before.has(id)) this.#before.set(id, before.state);
    this.#rows.set(id, row);
    this.#head.counts[before.state] -= 1;
    this.#head.counts[row.state] += 1;
    this.#head.ended = plus(this.#head.ended, rest(row.spent, before.spent));
    if (row.state === 'running') this.#running.set(id, row);
    else this.#running.delete(id);
  }

  #say(change: Change): void {
    this.#head.number += 1;
    this.#events.push(
      eventOf({number: this.#head.number, at: new Date(this.transaction.now).toISOString(), ...change}),
    );
  }
}
