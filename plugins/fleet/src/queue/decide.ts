import {KernelError} from '@gemini-kernel/kernel';
import type {Idle, Mark, Next, Order, QueueFault, QueueTask, Spending} from '../contract.js';
import type {QueueView} from './queue-view.js';
import type {Change} from './records.js';
import {plus} from './spending.js';
import type {Entry} from './tasks.js';

export const LOST: QueueFault = {code: 'LEASE_LOST', message: 'Its worker said nothing for longer than its lease.'};

/** The next task for a worker as a change, or why there is none. */
export function decideClaim(
  tasks: QueueView,
  worker: string,
): (Change & {readonly kind: 'started'}) | {readonly idle: Idle} {
  if (tasks.isPaused) return {idle: 'paused'};
  if (tasks.count('waiting') === 0) return {idle: tasks.count('running') === 0 ? 'empty' : 'waiting'};
  if (isUsedUp(tasks)) return {idle: 'budget'};
  const task = tasks.waiting.find((one) => hasPlace(tasks, one));
  if (task === undefined) return {idle: 'groups'};
  const reserved = reservationOf(tasks, task);
  if (reserved === 'budget') return {idle: 'budget'};
  const entry = tasks.get(task.id) as Entry;
  return {
    ...{kind: 'started', id: task.id, fence: tasks.fence + 1, worker, attempt: entry.attempt + 1},
    ...(reserved === undefined ? {} : {reserved}),
  };
}

/** The task that a mark is of. Throws KernelError QUEUE_FENCE_LOST unless its attempt is the one that counts. */
export function requireHeld(tasks: QueueView, {id, fence}: Mark): Entry {
  const entry = tasks.get(id);
  if (entry?.state === 'running' && entry.fence === fence) return entry;
  throw new KernelError('QUEUE_FENCE_LOST', `Another attempt counts for the task ${id}, or it has ended.`, {
    hint: 'What this attempt made does not count.',
  });
}

export function orderFor(tasks: QueueView, {isCancelled}: Entry): Order {
  if (isCancelled) return 'cancel';
  return tasks.isPaused || isUsedUp(tasks) ? 'pause' : 'continue';
}

export function decideFail(
  tasks: QueueView,
  mark: Mark,
  {fault, next, spent, note}: {fault: QueueFault; next: Next; spent: Spending; note?: unknown},
): Change & {readonly kind: 'failed' | 'returned'} {
  const entry = requireHeld(tasks, mark);
  const more = {id: mark.id, fault, spent, ...(note === undefined ? {} : {note})};
  if (entry.isCancelled) return {kind: 'failed', state: 'cancelled', ...more};
  if (next === 'return') return {kind: 'returned', state: 'waiting', ...more};
  const isOver = next === 'end' || !hasAttempts(entry);
  return {kind: 'failed', state: isOver ? 'failed' : 'waiting', ...more};
}

/** A task whose worker is gone. */
export function decideLost(entry: Entry): Change & {readonly kind: 'lost'} {
  const state = entry.isCancelled ? 'cancelled' : hasAttempts(entry) ? 'waiting' : 'failed';
  return {kind: 'lost', id: entry.task.id, state, fault: LOST};
}

function hasAttempts({task, attempt}: Entry): boolean {
  return attempt < (task.attempts ?? 1);
}

function hasPlace(tasks: QueueView, {group}: QueueTask): boolean {
  const {perGroup} = tasks.limits;
  return perGroup === undefined || group === undefined || tasks.runningIn(group) < perGroup;
}

function isUsedUp(tasks: QueueView): boolean {
  const {budget} = tasks.limits;
  if (budget === undefined) return false;
  const {spent} = tasks.spending();
  return spent.tokens >= (budget.tokens ?? Infinity) || spent.cost >= (budget.cost ?? Infinity);
}

/** What is held for a task: what it asks for, or what the budget has left, if that is less. */
function reservationOf(tasks: QueueView, {reserve}: QueueTask): Partial<Spending> | 'budget' | undefined {
  const {budget} = tasks.limits;
  if (budget === undefined || reserve === undefined) return reserve;
  const {spent, reserved} = tasks.spending();
  const used = plus(spent, reserved);
  const given = {
    ...lower('tokens', reserve, {budget, used}),
    ...lower('cost', reserve, {budget, used}),
  };
  const isLeft = used.tokens < (budget.tokens ?? Infinity) && used.cost < (budget.cost ?? Infinity);
  return isLeft ? given : 'budget';
}

function lower(
  key: keyof Spending,
  reserve: Partial<Spending>,
  {budget, used}: {readonly budget: Partial<Spending>; readonly used: Spending},
): Partial<Spending> {
  const wanted = reserve[key];
  return wanted === undefined ? {} : {[key]: Math.min(wanted, (budget[key] ?? Infinity) - used[key])};
}
