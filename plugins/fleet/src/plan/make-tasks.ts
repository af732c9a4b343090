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
    readonly requestsPerMinute?: number;
  };
}

const AT_ONCE = 8;

/** Gives the commit that a name stands for in a repository. */
export type Pin = (repository: string, ref: string) => Promise<string>;

/** The task of each row. Throws KernelError FLEET_PLAN_INVALID, and what `pin` throws. */
export async function makeTasks(plan: Plan, pin: Pin): Promise<readonly QueueTask[]> {
  const tasks: QueueTask[] = [];
  // Servers of repositories are not asked for hundreds at once.
  for (let start = 0; start < plan.rows.length; start += AT_ONCE) {
    const some = plan.rows.slice(start, start + AT_ONCE);
    const where = (index: number): string => `row ${start + index + 1}`;
    tasks.push(...(await Promise.all(some.map((row, index) => makeTask(plan, row, {pin, where: where(index)})))));
  }
  return tasks;
}

async function makeTask(
  plan: Plan,
  row: Row,
  {pin, where}: {readonly pin: Pin; readonly where: string},
): Promise<QueueTask> {
  const repository = row['repository'] ?? plan.repository;
  if (repository !== undefined && hasPassword(repository))
    throw planFault(where, 'the address of its repository has a password.', {
      hint: 'The queue is no place for secrets: let a credential helper of git have it.',
    });
  // Before a server is asked: a row that is wrong is named at once.
  const prompt = fillTemplate(plan.prompt, row, where);
  const commit = repository === undefined ? undefined : await pin(repository, row['ref'] ?? plan.ref ?? 'HEAD');
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

function taskLimits({taskCost, taskTurns, taskSeconds, requestsPerMinute}: Plan['limits']): FleetTask['limits'] {
  return {
    seconds: taskSeconds,
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
