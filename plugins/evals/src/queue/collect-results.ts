import {setTimeout} from 'node:timers/promises';
import type {Counts, QueueEngine, QueueItem, QueueLimits} from '@gemini-kernel/plugin-fleet/contract';
import {insist} from '@gemini-kernel/plugin-fleet/queues';
import type {Result} from '../results/result.js';
import type {Repetition} from '../run/run-repetition.js';
import {readWorked, taskOf, type Worked} from './eval-tasks.js';

/** What is put into a queue, and what hears of its results. */
export interface Collecting<T extends Repetition> {
  readonly engine: QueueEngine;
  readonly address: string;
  /** The run that the repetitions belong to: the same one when it is continued. */
  readonly run: string;
  readonly tasks: readonly T[];
  readonly budget?: QueueLimits['budget'];
  readonly signal: AbortSignal;
  /** Called for each that ended, one after the other. */
  onResult(task: T, worked: Worked): Promise<void>;
}

/** Repetitions that were not run, and why. */
export interface Collected<T> {
  readonly left: readonly T[];
  readonly reason?: 'budget' | 'paused';
}

const AT_ONCE = 100;
const LOOK_MS = 300;
/** After so many errors one after the other, a model is not asked again in this run. */
const MOST_ERRORS = 3;

/** Has workers run repetitions, each once, and gives those that they did not run. */
export async function collectResults<T extends Repetition>(collecting: Collecting<T>): Promise<Collected<T>> {
  const {engine, address, run, tasks, budget, signal} = collecting;
  const pending = new Map(tasks.map((task) => [taskOf(run, task).id, task]));
  await begin(collecting, [...pending.keys()]);
  const errors = new ErrorGuard(collecting, pending);
  const left: T[] = [];
  let seen = -1;
  while (pending.size > 0) {
    signal.throwIfAborted();
    const counts = await insist(() => engine.counts(address), signal);
    const ended = counts.done + counts.failed + counts.cancelled;
    if (ended !== seen) {
      for (const item of await endedOf(collecting, [...pending.keys()])) {
        const task = pending.get(item.task.id);
        if (task === undefined) continue;
        pending.delete(item.task.id);
        const worked = item.state === 'cancelled' ? undefined : workedOf(item, task);
        if (worked === undefined) left.push(task);
        else {
          await collecting.onResult(task, worked);
          await errors.see(task, worked.result);
        }
      }
      seen = ended;
      continue;
    }
    const reason = restOf(counts, budget);
    if (reason !== undefined) return {left: [...left, ...pending.values()], reason};
    await setTimeout(LOOK_MS, undefined, {signal}).catch(() => undefined);
  }
  return {left};
}

/** Puts what the queue does not have, and has it try again what failed or was cancelled before. */
async function begin<T extends Repetition>(
  {engine, address, run, tasks, budget, signal}: Collecting<T>,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < tasks.length; at += AT_ONCE) {
    const part = tasks.slice(at, at + AT_ONCE).map((task) => taskOf(run, task));
    await insist(() => engine.put(address, part), signal);
  }
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await insist(() => engine.retry(address, ids.slice(at, at + AT_ONCE)), signal);
  const limits = budget === undefined ? {} : {limits: {budget}};
  await insist(() => engine.set(address, {isPaused: false, ...limits}), signal);
}

async function endedOf<T extends Repetition>(
  {engine, address, signal}: Collecting<T>,
  ids: readonly string[],
): Promise<readonly QueueItem[]> {
  const found: QueueItem[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const what = {ids: ids.slice(at, at + AT_ONCE), states: ['done', 'failed', 'cancelled'] as const};
    found.push(...(await insist(() => engine.list(address, what), signal)));
  }
  return found;
}

/** Why a queue gives nothing out any more, once nothing runs. */
function restOf({running, isPaused, spent}: Counts, budget: QueueLimits['budget']): 'budget' | 'paused' | undefined {
  if (running > 0) return undefined;
  if (spent.cost >= (budget?.cost ?? Infinity) || spent.tokens >= (budget?.tokens ?? Infinity)) return 'budget';
  return isPaused ? 'paused' : undefined;
}

/** What came of a task. A worker that was lost too often, or said something else, leaves an error. */
function workedOf({result, note, fault, state}: QueueItem, task: Repetition): Worked {
  const said = readWorked(state === 'done' ? result : note, task);
  if (said) return said;
  const why = fault === undefined ? 'Its worker gave no result that can be read.' : `${fault.code}: ${fault.message}`;
  return {
    result: {
      ...{kind: 'result', eval: task.eval.name, model: task.model, repetition: task.repetition},
      ...{digest: task.eval.digest, status: 'error', faults: [why], outcome: 'unfinished', calls: 0, refused: 0},
      ...{turns: 0, tokens: 0, seconds: 0, conversation: ''},
    },
  };
}

/** Cancels what waits of a model that cannot be asked. */
class ErrorGuard<T extends Repetition> {
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly collecting: Collecting<T>,
    private readonly pending: ReadonlyMap<string, T>,
  ) {}

  async see({model}: T, {status}: Result): Promise<void> {
    const count = status === 'error' ? (this.#counts.get(model) ?? 0) + 1 : 0;
    this.#counts.set(model, count);
    if (count !== MOST_ERRORS) return;
    const ids = [...this.pending].filter(([, task]) => task.model === model).map(([id]) => id);
    const {engine, address, signal} = this.collecting;
    if (ids.length > 0) await insist(() => engine.cancel(address, ids), signal);
  }
}
