import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {readText} from '@gemini-kernel/files';
import {isKernelError, KernelError} from '@gemini-kernel/kernel';
import type {Claim, QueueEngine, Spending} from '@gemini-kernel/plugin-fleet/contract';
import {insist} from '@gemini-kernel/plugin-fleet/queues';
import type {Eval} from '../format/eval.js';
import type {Result} from '../results/result.js';
import type {Repetition} from '../run/run-repetition.js';
import {packConversation, readTask, type Worked} from './eval-tasks.js';

/** A worker for repetitions of a queue. */
export interface Working {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly evals: readonly Eval[];
  readonly jobs: number;
  readonly name: string;
  readonly leaseMs: number;
  /** Ends it: what runs is given back. */
  readonly signal: AbortSignal;
  /** Whether it stays when nothing waits. */
  readonly isStaying: boolean;
  /** Where conversations are kept until they are sent. */
  readonly conversations: string;
  run(one: Repetition, signal: AbortSignal): Promise<Result>;
  onResult(result: Result): void;
}

const PAUSE_MS = 200;
const LARGEST = 256 * 2 ** 20;
const STOPPED = {code: 'EVAL_STOPPED', message: 'It was stopped before it had ended.'};
/** The fault of a task whose model could not be asked. */
export const UNASKED = 'EVAL_UNASKED';

/** Works on repetitions, a few at once. Throws the first error, when all have stopped. */
export async function workOnEvals(working: Working): Promise<void> {
  const failing = new AbortController();
  const signal = AbortSignal.any([working.signal, failing.signal]);
  const lanes = Array.from({length: working.jobs}, (_, index) =>
    workInLane({...working, signal, name: `${working.name}-${index + 1}`}).catch((error: unknown) => {
      failing.abort(error);
    }),
  );
  await Promise.all(lanes);
  if (failing.signal.aborted) throw failing.signal.reason;
}

async function workInLane(working: Working): Promise<void> {
  const {engine, address, name, leaseMs, signal, isStaying} = working;
  while (!signal.aborted) {
    const answer = await insist(() => engine.claim(address, {name, leaseMs}), signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      // A worker may be there before its queue.
      if (isStaying && isKernelError(error) && error.code === 'QUEUE_ABSENT') return {idle: 'empty' as const};
      throw error;
    });
    if (answer === undefined) return;
    if ('claim' in answer) await workOn(answer.claim, working);
    else if (!isStaying && answer.idle !== 'waiting' && answer.idle !== 'groups') return;
    else await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
}

async function workOn(claim: Claim, working: Working): Promise<void> {
  const {signal, conversations, onResult} = working;
  const one = await repetitionOf(claim, working);
  const stop = new AbortController();
  const done = new AbortController();
  const [ended] = await Promise.all([
    tryRun(one, AbortSignal.any([signal, stop.signal]), working).finally(() => done.abort()),
    beat(claim, {stop, done: done.signal}, working),
  ]);
  if (stop.signal.reason === 'lost') return;
  if ('error' in ended) {
    await giveBack(claim, working, stop.signal.reason === 'cancel' ? 'end' : 'return');
    if (!signal.aborted && !stop.signal.aborted) throw ended.error;
    return;
  }
  const {result} = ended;
  const worked = {result, ...(await packed(join(conversations, result.conversation), result))};
  if (await end(claim, worked, working)) onResult(result);
}

async function tryRun(
  one: Repetition,
  signal: AbortSignal,
  {run}: Working,
): Promise<{readonly result: Result} | {readonly error: unknown}> {
  try {
    return {result: await run(one, signal)};
  } catch (error) {
    return {error};
  }
}

/** The repetition of a task. Throws KernelError EVAL_TASK_OTHER for one that this worker must not run. */
async function repetitionOf(claim: Claim, working: Working): Promise<Repetition> {
  const task = readTask(claim.task);
  const one = working.evals.find(({name}) => name === task?.eval);
  if (task && one?.digest === task.digest) return {eval: one, model: task.model, repetition: task.repetition};
  await giveBack(claim, working, 'return');
  if (task === undefined)
    throw new KernelError('EVAL_TASK_OTHER', `The task ${claim.id} of this queue is no repetition of an evaluation.`, {
      hint: 'Use a queue of its own for evaluations: another address, or another name in it.',
    });
  const what = one === undefined ? 'is not here' : 'is another one here';
  throw new KernelError('EVAL_TASK_OTHER', `The evaluation ${JSON.stringify(task.eval)} of this queue ${what}.`, {
    hint: 'Bring the folder with evaluations to the state of the machine that began the run.',
  });
}

async function packed(file: string, {conversation}: Result): Promise<Pick<Worked, 'conversation'>> {
  return conversation === '' ? {} : packConversation(await readText(file, {limit: LARGEST}));
}

/** Says how it ended. Gives whether the queue counts it: not when another worker has it by now. */
async function end(claim: Claim, worked: Worked, {engine, address}: Working): Promise<boolean> {
  const {result} = worked;
  const spent: Spending = {tokens: result.tokens, cost: result.cost ?? 0};
  try {
    if (result.status !== 'error') await insist(() => engine.finish(address, claim, {result: worked, spent}));
    else {
      const fault = {code: UNASKED, message: result.faults[0] ?? 'The model could not be asked.'};
      await insist(() => engine.fail(address, claim, {fault, spent, next: 'end', note: worked}));
    }
    return true;
  } catch (error) {
    if (isKernelError(error) && error.code === 'QUEUE_FENCE_LOST') return false;
    throw error;
  }
}

async function giveBack(claim: Claim, {engine, address}: Working, next: 'end' | 'return'): Promise<void> {
  const spent = {tokens: 0, cost: 0};
  await insist(() => engine.fail(address, claim, {fault: STOPPED, next, spent})).catch((error: unknown) => {
    if (!isKernelError(error) || error.code !== 'QUEUE_FENCE_LOST') throw error;
  });
}

/** Renews the lease, and stops the run when the queue says so, or another worker has it. */
async function beat(
  claim: Claim,
  {stop, done}: {readonly stop: AbortController; readonly done: AbortSignal},
  {engine, address, leaseMs}: Working,
): Promise<void> {
  let heard = performance.now();
  for (;;) {
    await setTimeout(leaseMs / 10, undefined, {signal: done}).catch(() => undefined);
    if (done.aborted) return;
    try {
      const {order} = await engine.beat(address, claim);
      heard = performance.now();
      if (order !== 'continue') stop.abort(order);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.code === 'QUEUE_FENCE_LOST' || performance.now() - heard > (leaseMs * 2) / 3) stop.abort('lost');
    }
  }
}
