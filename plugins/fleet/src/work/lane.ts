import {setTimeout} from 'node:timers/promises';
import {isKernelError} from '@gemini-kernel/kernel';
import type {Claim, Idle, Order, QueueEngine, QueueFault, Spending} from '../contract.js';
import type {FleetTrace} from './fleet-trace.js';
import {insist} from './insist.js';
import type {Made} from '../results/result.js';
import {Attempt, type Attempted, type Progress, type WorkPlace} from './attempt.js';
import {faultOfError} from './attempt-fault.js';

/** What a worker tells who watches it. */
export interface LaneWatch {
  onStart(worker: string, claim: Claim): void;
  onProgress(worker: string, claim: Claim, progress: Progress): void;
  /** `state` is that of the queue; `lost`: another attempt counts by now. */
  onEnd(worker: string, claim: Claim, end: {readonly state: string; readonly fault?: QueueFault}): void;
}

export interface LaneParts {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly place: WorkPlace;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  readonly watch: LaneWatch;
  /** Absent without a plugin for telemetry. */
  readonly trace?: FleetTrace | undefined;
  /** Whether a worker stays when nothing waits. */
  readonly isStaying: boolean;
}

/** Why a run is ended from outside. */
type Stop = Exclude<Order, 'continue'> | 'lost' | 'leave';

const PAUSE_MS = 200;
/** How often a worker asks what to do: a cancel reaches a run within that and its grace. */
const BEAT_MS = 500;

/** Does one task after the other, until there is none. Gives why there is none. */
export async function runLane(name: string, parts: LaneParts): Promise<Idle | 'left'> {
  const {signal, isStaying} = parts;
  for (;;) {
    if (signal.aborted) return 'left';
    const answer = await claimFor(name, parts);
    if ('claim' in answer) await runClaim(name, answer.claim, parts);
    else if (!isStaying && (answer.idle === 'empty' || (await hasStopped(answer.idle, parts)))) return answer.idle;
    else await setTimeout(PAUSE_MS, undefined, {signal}).catch(() => undefined);
  }
}

/** The next task. A worker that stays may be there before its queue. */
async function claimFor(
  name: string,
  {engine, address, leaseMs, signal, isStaying}: LaneParts,
): Promise<Awaited<ReturnType<QueueEngine['claim']>>> {
  try {
    return await insist(() => engine.claim(address, {name, leaseMs}), signal);
  } catch (error) {
    if (signal.aborted) return {idle: 'waiting'};
    if (isStaying && isKernelError(error) && error.code === 'QUEUE_ABSENT') return {idle: 'empty'};
    throw error;
  }
}

/** Whether a queue that gives nothing out has come to rest. */
async function hasStopped(idle: Idle, {engine, address}: LaneParts): Promise<boolean> {
  if (idle !== 'paused' && idle !== 'budget') return false;
  return (await engine.counts(address)).running === 0;
}

async function runClaim(name: string, claim: Claim, parts: LaneParts): Promise<void> {
  const {signal, watch, trace} = parts;
  const began = Date.now();
  const first = (claim.note as Made | undefined)?.first ?? began;
  const place = withVariables(parts.place, await trace?.begin(claim));
  const attempt = new Attempt(claim, place);
  const stop = new AbortController();
  const leave = (): void => stop.abort('leave' satisfies Stop);
  signal.addEventListener('abort', leave, {once: true});
  if (signal.aborted) leave();
  watch.onStart(name, claim);
  const done = new AbortController();
  const [attempted] = await Promise.all([
    tryAttempt(attempt, stop.signal).finally(() => done.abort()),
    beat({name, claim, attempt, stop, done: done.signal}, parts),
  ]);
  signal.removeEventListener('abort', leave);
  const reason = stop.signal.aborted ? (stop.signal.reason as Stop) : undefined;
  const end = await settle({claim, attempted: trace ? noting(attempted, first) : attempted, reason}, parts);
  if (end.state === 'done') await attempt.clear();
  await trace?.end(claim, {...end, began, first, spent: attempted.spent});
  watch.onEnd(name, claim, end);
}

function withVariables(place: WorkPlace, more: Readonly<Record<string, string>> = {}): WorkPlace {
  const {environment} = place;
  const {platform, variables} = environment;
  return {...place, environment: {platform, variables: {...variables, ...more}}};
}

/** The next attempt says when the first one began. */
function noting({made, ...rest}: Attempted, first: number): Attempted {
  return {...rest, made: rest.fault === undefined ? made : {...made, first}};
}

async function tryAttempt(attempt: Attempt, signal: AbortSignal): Promise<Attempted> {
  try {
    return await attempt.run(signal);
  } catch (error) {
    return {made: {}, spent: {tokens: (await attempt.progress()).tokens, cost: 0}, fault: faultOfError(error)};
  }
}

interface Beating {
  readonly name: string;
  readonly claim: Claim;
  readonly attempt: Attempt;
  readonly stop: AbortController;
  readonly done: AbortSignal;
}

/** Renews the lease, says what was used, and ends the run when the queue says so or has not answered for too long. */
async function beat({name, claim, attempt, stop, done}: Beating, parts: LaneParts): Promise<void> {
  const {engine, address, leaseMs, place, watch} = parts;
  let [heard, said] = [performance.now(), ''];
  while (!done.aborted) {
    await setTimeout(BEAT_MS, undefined, {signal: done}).catch(() => undefined);
    if (done.aborted) return;
    const progress = await attempt.progress();
    const {tokens, session, reported} = progress;
    const note = session === undefined ? {} : {note: {session, machine: place.machine, place: place.id, reported}};
    const news = JSON.stringify([tokens, session]);
    try {
      const more = news === said ? {} : {spent: {tokens, cost: 0}, ...note};
      const {order} = await engine.beat(address, claim, more);
      [heard, said] = [performance.now(), news];
      if (order !== 'continue') stop.abort(order satisfies Stop);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      // Before its lease ends, and another worker begins.
      const isLost = error.code === 'QUEUE_FENCE_LOST' || performance.now() - heard > (leaseMs * 2) / 3;
      if (isLost) stop.abort('lost' satisfies Stop);
    }
    watch.onProgress(name, claim, progress);
  }
}

interface Settling {
  readonly claim: Claim;
  readonly attempted: Attempted;
  readonly reason: Stop | undefined;
}

/** Tells the queue how an attempt ended. */
async function settle(
  {claim, attempted: {made, spent, fault}, reason}: Settling,
  {engine, address}: LaneParts,
): Promise<{readonly state: string; readonly fault?: QueueFault}> {
  if (reason === 'lost') return {state: 'lost'};
  try {
    if (fault === undefined) {
      await insist(() => engine.finish(address, claim, {result: made, spent}));
      return {state: 'done'};
    }
    const said = {code: fault.code, message: fault.message};
    if (reason !== undefined) {
      const stopped = {code: 'TASK_STOPPED', message: 'It was stopped before it was done.'};
      const next = reason === 'cancel' ? 'end' : 'return';
      return await insist(() => engine.fail(address, claim, {fault: stopped, next, spent, note: made}));
    }
    const next = isShort(claim, fault, spent) ? 'return' : fault.isLasting ? 'end' : 'retry';
    const failed = await insist(() => engine.fail(address, claim, {fault: said, next, spent, note: made}));
    return {...failed, fault: said};
  } catch (error) {
    if (!isKernelError(error) || error.code !== 'QUEUE_FENCE_LOST') throw error;
    return {state: 'lost'};
  }
}

/** Whether an attempt ended at what the budget had left for it, which is no limit of the task. */
function isShort({reserved = {}, task: {reserve = {}}}: Claim, {code}: QueueFault, {tokens}: Spending): boolean {
  if (code === 'COST_EXHAUSTED') return (reserved.cost ?? Infinity) < (reserve.cost ?? 0);
  return reserved.tokens !== undefined && tokens >= reserved.tokens;
}
