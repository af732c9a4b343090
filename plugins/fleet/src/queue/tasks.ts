import type {Counts, QueueItem, QueueLimits, QueueState, QueueTask, Spending} from '../contract.js';
import type {Change, JournalLine, Kept} from './records.js';
import {NOTHING, plus, rest} from './spending.js';
import {isSame} from './is-same.js';
import {WaitingTasks} from './waiting-tasks.js';

const CANCELLED = {code: 'TASK_CANCELLED', message: 'It was cancelled.'};

/** A task as the queue has it; `order` is its place among all. */
export interface Entry extends Kept {
  readonly order: number;
}

/** The state of a queue: what the lines of its journal make, and nothing else. */
export class QueueTasks {
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Map<string, Entry>();
  readonly #counts: Record<QueueState, number> = {waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0};
  readonly #groups = new Map<string, number>();
  readonly waiting = new WaitingTasks();
  /** Of attempts that have ended. */
  #ended: Spending = NOTHING;
  /** Of the last record. */
  number = 0;
  fence = 0;
  isPaused = false;
  limits: QueueLimits = {};

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  all(): Iterable<Entry> {
    return this.#entries.values();
  }

  running(): Iterable<Entry> {
    return this.#running.values();
  }

  runningIn(group: string): number {
    return this.#groups.get(group) ?? 0;
  }

  count(state: QueueState): number {
    return this.#counts[state];
  }

  /** What was spent, and what is held for tasks that run. */
  spending(): {readonly spent: Spending; readonly reserved: Spending} {
    let [spent, reserved] = [this.#ended, NOTHING];
    for (const {current = NOTHING, reserved: held = NOTHING} of this.#running.values()) {
      spent = plus(spent, current);
      reserved = plus(reserved, rest(held, current));
    }
    return {spent, reserved};
  }

  counts(): Counts {
    return {...this.#counts, ...this.spending(), isPaused: this.isPaused, limits: this.limits};
  }

  apply(line: JournalLine): void {
    if (line.kind === 'kept') return this.#keep({...line.kept, order: this.#entries.size});
    // A journal that was compacted may have said it already.
    if (line.number <= this.number) return;
    this.number = line.number;
    if (line.kind === 'snapshot') {
      this.fence = line.fence;
      this.isPaused = line.isPaused;
      this.limits = line.limits;
    } else this.#change(line);
  }

  #change(change: Change): void {
    if (change.kind === 'added') return change.tasks.forEach((task) => this.#add(task));
    if (change.kind === 'changed') return change.tasks.forEach((task) => this.#replace(task));
    if (change.kind === 'set') {
      this.isPaused = change.isPaused ?? this.isPaused;
      this.limits = change.limits ?? this.limits;
      return;
    }
    const entry = this.#entries.get(change.id);
    if (entry === undefined) return;
    if (change.kind === 'started') this.fence = change.fence;
    this.#keep(entryAfter(entry, change));
  }

  #add(task: QueueTask): void {
    this.#keep(newEntry(task, this.#entries.size));
  }

  #replace(task: QueueTask): void {
    const entry = this.#entries.get(task.id);
    if (entry) this.#keep({...entry, task});
  }

  #keep(entry: Entry): void {
    const {task, state} = entry;
    const before = this.#entries.get(task.id);
    if (before) this.#leave(before);
    this.#entries.set(task.id, entry);
    this.#counts[state] += 1;
    this.#ended = plus(this.#ended, rest(entry.spent, before?.spent ?? NOTHING));
    if (state === 'waiting') this.waiting.add(entry);
    if (state !== 'running') return;
    this.#running.set(task.id, entry);
    if (task.group !== undefined) this.#groups.set(task.group, this.runningIn(task.group) + 1);
  }

  #leave({task, state, order}: Entry): void {
    this.#counts[state] -= 1;
    if (state === 'waiting') this.waiting.remove({task, order});
    if (state !== 'running') return;
    this.#running.delete(task.id);
    if (task.group !== undefined) this.#groups.set(task.group, this.runningIn(task.group) - 1);
  }
}

/** A known task as it is put now, at its place among the others. Undefined where nothing changes for its next claim. */
export function changedTask({task, state}: Entry, put: QueueTask): QueueTask | undefined {
  if (state === 'done' || isSame(toldOf(task), toldOf(put))) return undefined;
  const {id, priority, group} = task;
  const {payload, attempts, reserve} = put;
  return {
    ...{id, payload},
    ...(priority === undefined ? {} : {priority}),
    ...(group === undefined ? {} : {group}),
    ...(attempts === undefined ? {} : {attempts}),
    ...(reserve === undefined ? {} : {reserve}),
  };
}

/** What a claim tells of a task. */
function toldOf({payload, attempts = 1, reserve = {}}: QueueTask): object {
  return {payload, attempts, reserve};
}

/** A task that was put. */
export function newEntry(task: QueueTask, order: number): Entry {
  return {task, order, state: 'waiting', attempt: 0, fence: 0, spent: NOTHING};
}

/** A change of one task. */
export type TaskChange = Exclude<Change, {readonly kind: 'added' | 'changed' | 'set'}>;

/** A task after a change of it. */
export function entryAfter(entry: Entry, change: TaskChange): Entry {
  const {task, order, attempt, fence, spent, note} = entry;
  const base = {task, order, attempt, fence, spent};
  switch (change.kind) {
    case 'started': {
      const {worker, reserved} = change;
      const held = reserved === undefined ? {} : {reserved};
      return {...base, ...noted(note), ...held, worker, state: 'running', attempt: change.attempt, fence: change.fence};
    }
    case 'progress':
      return {...entry, ...(change.spent ? {current: change.spent} : {}), ...noted(change.note)};
    case 'finished':
      return {...base, state: 'done', spent: plus(spent, change.spent), result: change.result};
    case 'cancelled':
      return entry.state === 'running'
        ? {...entry, isCancelled: true}
        : {...entry, state: 'cancelled', fault: CANCELLED};
    case 'retried':
      return {...base, ...noted(note), state: 'waiting', attempt: 0};
    default:
      return ended(entry, change);
  }
}

/** An attempt is over, without a result. */
function ended(
  {task, order, attempt, fence, spent, note, current}: Entry,
  change: TaskChange & {readonly kind: 'failed' | 'lost' | 'returned'},
): Entry {
  const {state, fault} = change;
  const begun = change.kind === 'returned' ? attempt - 1 : attempt;
  const all = plus(spent, change.spent ?? current ?? NOTHING);
  return {task, order, fence, state, fault, attempt: begun, spent: all, ...noted(change.note ?? note)};
}

function noted(note: unknown): {readonly note?: unknown} {
  return note === undefined ? {} : {note};
}

/** A task as others see it. */
export function itemOf({task, state, attempt, spent, current, worker, result, fault, note}: Entry): QueueItem {
  return {
    ...{task, state, attempt, spent: plus(spent, current ?? NOTHING)},
    ...(worker === undefined ? {} : {worker}),
    ...(result === undefined ? {} : {result}),
    ...(fault === undefined ? {} : {fault}),
    ...noted(note),
  };
}
