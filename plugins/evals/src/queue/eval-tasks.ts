import {createHash} from 'node:crypto';
import {gunzipSync, gzipSync} from 'node:zlib';
import type {QueueTask} from '@gemini-kernel/plugin-fleet/contract';
import {parseResult} from '../results/read-run.js';
import type {Result} from '../results/result.js';
import type {Repetition} from '../run/run-repetition.js';

/** A repetition for a worker, which has the evaluation itself: nothing that comes from the queue is run or obeyed. */
export interface EvalTask {
  readonly kind: 'gemini-eval';
  readonly format: 1;
  /** Of the run that it belongs to. */
  readonly run: string;
  readonly eval: string;
  readonly digest: string;
  readonly model: string;
  readonly repetition: number;
}

/** What a worker says about a repetition. */
export interface Worked {
  readonly result: Result;
  /** The events of its conversation, compressed, unless they are too long. */
  readonly conversation?: string;
}

const NAMES = ['run', 'eval', 'digest', 'model'] as const;
/** A worker that is lost is replaced by another one, and so is that one. */
const ATTEMPTS = 3;
/** A conversation that is longer, compressed, stays away. */
const LARGEST = 256 * 1024;
/** What one may have when it is unpacked: it comes from another machine. */
const LARGEST_UNPACKED = 64 * 2 ** 20;

/** A repetition as a task. The same repetition of the same run is the same task. */
export function taskOf(run: string, {eval: one, model, repetition}: Repetition): QueueTask {
  const payload: EvalTask = {
    ...{kind: 'gemini-eval', format: 1, run},
    ...{eval: one.name, digest: one.digest, model, repetition},
  };
  const {tokens, cost} = one.limits;
  return {
    id: `eval-${createHash('sha256').update(JSON.stringify(payload)).digest('hex').slice(0, 40)}`,
    ...{payload, attempts: ATTEMPTS},
    reserve: {...(tokens === undefined ? {} : {tokens}), ...(cost === undefined ? {} : {cost})},
  };
}

/** The repetition in a task; undefined for another one. */
export function readTask({payload}: QueueTask): EvalTask | undefined {
  const task = payload as Partial<EvalTask> | null;
  const isTask =
    task?.kind === 'gemini-eval' &&
    task.format === 1 &&
    NAMES.every((name) => typeof task[name] === 'string') &&
    Number.isSafeInteger(task.repetition);
  return isTask ? (task as EvalTask) : undefined;
}

export function packConversation(events: string): {readonly conversation?: string} {
  const packed = gzipSync(events).toString('base64');
  return packed.length > LARGEST ? {} : {conversation: packed};
}

/** What a worker said about this repetition; undefined for anything else. */
export function readWorked(value: unknown, {eval: one, model, repetition}: Repetition): Worked | undefined {
  const said = value as Partial<Worked> | null | undefined;
  const result = parseResult(said?.result);
  const isOwn =
    result?.eval === one.name &&
    result.digest === one.digest &&
    result.model === model &&
    result.repetition === repetition;
  if (!isOwn) return undefined;
  return {result, ...(typeof said?.conversation === 'string' ? {conversation: said.conversation} : {})};
}

/** The events in it; empty for what cannot be unpacked. */
export function unpackConversation(packed: string): string {
  try {
    return gunzipSync(Buffer.from(packed, 'base64'), {maxOutputLength: LARGEST_UNPACKED}).toString('utf8');
  } catch {
    // What is broken says nothing; the result counts without it.
    return '';
  }
}
