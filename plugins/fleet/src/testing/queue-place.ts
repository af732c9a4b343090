import assert from 'node:assert/strict';
import {setTimeout} from 'node:timers/promises';
import type {Claim, QueueEngine, QueueItem, QueueTask} from '../contract.js';

/** A queue that is new, with what a case may do to it. */
export interface QueuePlace {
  readonly address: string;
  readonly engine: QueueEngine;
  /** The queue as another process has it, which does not own it. */
  other(): Promise<QueueEngine>;
  /** Ends what keeps the queue, without a word to it, and has it begin again. Gives the engine to continue with. */
  restart(): Promise<QueueEngine>;
  /** The shortest lease that the engine can hold, and how long after its end a task is certainly given out again. */
  readonly lease: {readonly ms: number; readonly lostAfterMs: number};
  /** Cuts the way to the queue; undefined for an engine without one. */
  cut?(): Promise<{heal(): Promise<void>}>;
  /** Has the place be full, so that nothing can be written; undefined where that cannot be arranged. */
  fill?(): Promise<{free(): Promise<void>}>;
  /** Sets the clock of this process off; undefined where no clock of a process is used. */
  skew?(ms: number): Promise<{right(): Promise<void>}>;
}

/** One case that every engine passes. */
export interface QueueCase {
  readonly title: string;
  /** What a place must be able to do for it. */
  readonly needs?: 'cut' | 'fill' | 'skew';
  run(place: QueuePlace): Promise<void>;
}

export const LONG_MS = 60_000;
export const task = (id: string, more: Partial<QueueTask> = {}): QueueTask => ({id, payload: {about: id}, ...more});
export const tasks = (...ids: readonly string[]): readonly QueueTask[] => ids.map((id) => task(id));
export const spent = (tokens: number, cost = 0): {readonly tokens: number; readonly cost: number} => ({tokens, cost});
export const FAULT = {code: 'EXAMPLE', message: 'An example.'};

/** What is JSON is compared as JSON: a test runner can have arrays of another realm. */
export function same(actual: unknown, expected: unknown): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

/** The next task; fails where there is none. */
export async function take({engine, address}: Pick<QueuePlace, 'engine' | 'address'>, name = 'w1'): Promise<Claim> {
  const answer = await engine.claim(address, {name, leaseMs: LONG_MS});
  if ('claim' in answer) return answer.claim;
  return assert.fail(`No task was given out: ${answer.idle}.`);
}

/** Why there is no task; fails where there is one. */
export async function idle({engine, address}: Pick<QueuePlace, 'engine' | 'address'>): Promise<string> {
  const answer = await engine.claim(address, {name: 'w9', leaseMs: LONG_MS});
  if ('idle' in answer) return answer.idle;
  return assert.fail(`The task ${answer.claim.id} was given out.`);
}

/** Takes a task with the shortest lease, and waits until it is lost. */
export async function lose({engine, address, lease}: QueuePlace): Promise<Claim> {
  const answer = await engine.claim(address, {name: 'gone', leaseMs: lease.ms});
  if (!('claim' in answer)) return assert.fail(`No task was given out: ${answer.idle}.`);
  await setTimeout(lease.lostAfterMs);
  return answer.claim;
}

export async function item({engine, address}: QueuePlace, id: string): Promise<QueueItem> {
  const [found] = await engine.list(address, {ids: [id]});
  return found ?? assert.fail(`There is no task ${id}.`);
}

export async function states({engine, address}: Pick<QueuePlace, 'engine' | 'address'>): Promise<object> {
  const {waiting, running, done, failed, cancelled} = await engine.counts(address);
  return {waiting, running, done, failed, cancelled};
}

/** Fails unless the act is refused with this code. */
export async function refused(code: string, act: Promise<unknown>): Promise<void> {
  await act.then(
    () => assert.fail(`It was not refused with ${code}.`),
    (error: unknown) => assert.equal((error as {readonly code?: unknown}).code, code),
  );
}
