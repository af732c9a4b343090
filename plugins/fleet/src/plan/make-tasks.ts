import {createHash} from 'node:crypto';
import type {QueueTask} from '../contract.js';
import {fillTemplate} from './fill-template.js';
import type {Plan, Row} from './plan.js';
import {planFault} from './plan-fault.js';

/** What a worker needs to do a task. */
export interface FleetTask {
  readonly fleet: string;
  readonly prompt: string;
  readonly row: Row;
  readonly repository?: string;
  /** The commit that it begins with. */
  readonly commit?: string;
  readonly model?: string;
  readonly mode: Plan['mode'];
  readonly allow: readonly string[];
  readonly isTrusted: boolean;
  readonly isConfined: boolean;
  readonly schema?: unknown;
  readonly limits: {
    readonly cost?: number;
    readonly turns?: number;
    readonly seconds: number;
    /** Bytes that its checkout may have. */
    readonly disk?: number;
    readonly requestsPerMinute?: number;
  };
}

const AT_ONCE = 8;
const PIECE = 500;

/** Gives the commit that a name stands for in a repository. */
export type Pin = (repository: string, ref: string) => Promise<string>;

/**
 * The tasks of all rows, in pieces: a plan may have very many. Before the first piece, each row is checked. Throws
 * KernelError FLEET_PLAN_INVALID, and what `pin` throws.
 */
export async function* makeTasks(plan: Plan, pin: Pin): AsyncIterable<readonly QueueTask[]> {
  const pins = new Map<string, string>();
  // Servers of repositories are not asked for hundreds at once.
  for (const {rows, start} of piecesOf(plan.rows, AT_ONCE))
    await Promise.all(
      rows.map(async (row, index) => {
        const {repository, ref, key} = checkRow(plan, row, `row ${start + index + 1}`);
        if (repository !== undefined && !pins.has(key)) pins.set(key, await pin(repository, ref));
      }),
    );
  for (const {rows, start} of piecesOf(plan.rows, PIECE))
    yield rows.map((row, index) => {
      const where = `row ${start + index + 1}`;
      return makeTask(plan, row, {where, commit: pins.get(checkRow(plan, row, where).key)});
    });
}

function* piecesOf(
  all: readonly Row[],
  size: number,
): Iterable<{readonly rows: readonly Row[]; readonly start: number}> {
  for (let start = 0; start < all.length; start += size) yield {rows: all.slice(start, start + size), start};
}

/** Where a row's task works. Throws KernelError FLEET_PLAN_INVALID for a row of which no task can be made. */
function checkRow(
  plan: Plan,
  row: Row,
  where: string,
): {readonly repository: string | undefined; readonly ref: string; readonly key: string} {
  const repository = row['repository'] ?? plan.repository;
  const ref = row['ref'] ?? plan.ref ?? 'HEAD';
  if (repository !== undefined && hasPassword(repository))
    throw planFault(where, 'the address of its repository has a password.', {
      hint: 'The queue is no place for secrets: let a credential helper of git have it.',
    });
  fillTemplate(plan.prompt, row, where);
  priorityOf(row, where);
  return {repository, ref, key: `${ref}\n${repository ?? ''}`};
}

function makeTask(
  plan: Plan,
  row: Row,
  {where, commit}: {readonly where: string; readonly commit: string | undefined},
): QueueTask {
  const repository = row['repository'] ?? plan.repository;
  const prompt = fillTemplate(plan.prompt, row, where);
  const {limits} = plan;
  const same = {
    ...{fleet: plan.name, prompt, row},
    ...(repository === undefined ? {} : {repository}),
    ...(commit === undefined ? {} : {commit}),
    ...settingsOf(plan),
  };
  const payload: FleetTask = {...same, limits: taskLimits(limits)};
  const reserve = reserveOf(limits);
  return {
    id: createHash('sha256').update(JSON.stringify(same)).digest('hex'),
    ...{payload, attempts: limits.attempts, priority: priorityOf(row, where)},
    ...(repository === undefined ? {} : {group: createHash('sha256').update(repository).digest('hex').slice(0, 16)}),
    ...(reserve === undefined ? {} : {reserve}),
  };
}

function settingsOf({
  model,
  mode,
  allow,
  isTrusted,
  isConfined,
  schema,
}: Plan): Pick<FleetTask, 'model' | 'mode' | 'allow' | 'isTrusted' | 'isConfined' | 'schema'> {
  return {
    ...(model === undefined ? {} : {model}),
    ...{mode, allow, isTrusted, isConfined},
    ...(schema === undefined ? {} : {schema}),
  };
}

function taskLimits({
  taskCost,
  taskTurns,
  taskSeconds,
  taskDisk,
  requestsPerMinute,
}: Plan['limits']): FleetTask['limits'] {
  return {
    ...{seconds: taskSeconds, disk: taskDisk},
    ...(taskCost === undefined ? {} : {cost: taskCost}),
    ...(taskTurns === undefined ? {} : {turns: taskTurns}),
    ...(requestsPerMinute === undefined ? {} : {requestsPerMinute}),
  };
}

/** What a task may cost. Without a limit of its own, workers share the budget in equal parts. */
function reserveOf({cost, tokens, taskCost, jobs}: Plan['limits']): QueueTask['reserve'] {
  const most = taskCost ?? (cost === undefined ? undefined : cost / jobs);
  if (most === undefined && tokens === undefined) return undefined;
  return {
    ...(most === undefined ? {} : {cost: most}),
    ...(tokens === undefined ? {} : {tokens: Math.ceil(tokens / jobs)}),
  };
}

function priorityOf(row: Row, where: string): number {
  const value = row['priority'];
  if (value === undefined || value === '') return 0;
  if (/^-?\d{1,9}$/.test(value)) return Number(value);
  throw planFault(where, `priority ${JSON.stringify(value)} is not a whole number.`);
}

function hasPassword(repository: string): boolean {
  return /^[\w+.-]+:\/\/[^/@]*:[^/@]+@/.test(repository);
}
