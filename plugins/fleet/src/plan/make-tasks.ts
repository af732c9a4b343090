import {createHash} from 'node:crypto';
import type {QueueTask} from '../contract.js';
import {fillTemplate} from './fill-template.js';
import {checkRow, piecesOf, priorityOf, type PinnedRows} from './pin-rows.js';
import type {Plan, Row} from './plan.js';

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

const PIECE = 500;

/** The tasks of all rows that are not left out, in pieces: a plan may have very many. */
export function* makeTasks(plan: Plan, {commits, left}: PinnedRows): Iterable<readonly QueueTask[]> {
  const isLeft = new Set(left.map(({row}) => row));
  const common = {settings: settingsOf(plan), limits: taskLimits(plan.limits), reserve: reserveOf(plan.limits)};
  for (const {rows, start} of piecesOf(plan.rows, PIECE))
    yield rows.flatMap((row, index) => {
      const number = start + index + 1;
      if (isLeft.has(number)) return [];
      const where = `row ${number}`;
      return [makeTask(plan, row, {where, common, commit: commits.get(checkRow(plan, row, where).key)})];
    });
}

/** What all tasks of a plan have. */
interface Common {
  readonly settings: TaskSettings;
  readonly limits: FleetTask['limits'];
  readonly reserve: QueueTask['reserve'];
}

type TaskSettings = Pick<FleetTask, 'model' | 'mode' | 'allow' | 'isTrusted' | 'isConfined' | 'schema'>;

function makeTask(
  plan: Plan,
  row: Row,
  {where, common, commit}: {readonly where: string; readonly common: Common; readonly commit: string | undefined},
): QueueTask {
  const repository = row['repository'] ?? plan.repository;
  const prompt = fillTemplate(plan.prompt, row, where);
  const same = {
    ...{fleet: plan.name, prompt, row},
    ...(repository === undefined ? {} : {repository}),
    ...(commit === undefined ? {} : {commit}),
    ...common.settings,
  };
  const payload: FleetTask = {...same, limits: common.limits};
  const {reserve} = common;
  return {
    id: createHash('sha256').update(JSON.stringify(same)).digest('hex'),
    ...{payload, attempts: plan.limits.attempts, priority: priorityOf(row, where)},
    ...(repository === undefined ? {} : {group: createHash('sha256').update(repository).digest('hex').slice(0, 16)}),
    ...(reserve === undefined ? {} : {reserve}),
  };
}

function settingsOf({model, mode, allow, isTrusted, isConfined, schema}: Plan): TaskSettings {
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
