import type {QueueItem, QueueState} from '../contract.js';
import type {FleetTask} from '../plan/make-tasks.js';
import type {Row} from '../plan/plan.js';
import type {RefusedCall} from '../work/event-lines.js';

/** What an attempt made and left, which the queue keeps: as the result, or as the note of an attempt that failed. */
export interface Made {
  readonly outcome?: string;
  readonly answer?: string;
  readonly structured?: unknown;
  readonly refused?: readonly RefusedCall[];
  readonly session?: string;
  /** Where its session and its checkout are. */
  readonly machine?: string;
  /** Which folder of that machine has them. */
  readonly place?: string;
  readonly seconds?: number;
  /** When the first attempt began, for telemetry. */
  readonly first?: number;
  /** Tokens that its processes reported on that machine, in all attempts. */
  readonly reported?: number;
  readonly branch?: string;
  readonly commit?: string;
  readonly files?: readonly string[];
  /** What it left and git ignores, which is not in the commit. */
  readonly ignored?: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
  /** As `git apply` takes it; left out when it is large. */
  readonly patch?: string;
  /** The commit as git keeps it, with the patch. */
  readonly object?: string;
}

/** A line of `results.jsonl`. */
export interface ResultLine {
  readonly id: string;
  readonly row: Row;
  readonly repository?: string;
  readonly base?: string;
  readonly status: QueueState;
  readonly attempts: number;
  readonly tokens: number;
  readonly cost: number;
  readonly error?: {readonly code: string; readonly message: string};
  readonly outcome?: string;
  readonly answer?: string;
  readonly structured?: unknown;
  readonly refused: readonly RefusedCall[];
  readonly branch?: string;
  readonly commit?: string;
  readonly files: readonly string[];
  readonly ignored?: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
  readonly patch?: string;
  readonly session?: string;
  readonly machine?: string;
  readonly seconds: number;
}

/** The branch of a task, which is new: nothing that a worker says decides about it. */
export function branchOf({fleet}: FleetTask, id: string): string {
  return `fleet/${fleet}/${id.slice(0, 16)}`;
}

export function taskOf({task}: Pick<QueueItem, 'task'>): FleetTask {
  return task.payload as FleetTask;
}

export function madeOf({state, result, note}: QueueItem): Made {
  return (state === 'done' ? result : note) ?? {};
}

/** A task as a line of results: the same for every engine but for times, sessions and machines. */
export function lineOf(item: QueueItem): ResultLine {
  const {repository, commit: base, row} = taskOf(item);
  const {
    outcome,
    answer,
    structured,
    refused = [],
    files = [],
    insertions = 0,
    deletions = 0,
    seconds = 0,
    reported: _,
    place: __,
    object: ___,
    first: ____,
    ...made
  } = madeOf(item);
  const {task, state, attempt, spent, fault} = item;
  return {
    ...{id: task.id, row},
    ...(repository === undefined ? {} : {repository}),
    ...(base === undefined ? {} : {base}),
    ...{status: state, attempts: attempt, tokens: spent.tokens, cost: spent.cost},
    ...(fault === undefined ? {} : {error: fault}),
    ...(outcome === undefined ? {} : {outcome}),
    ...(answer === undefined ? {} : {answer}),
    ...(structured === undefined ? {} : {structured}),
    ...{refused, files, insertions, deletions, seconds},
    ...made,
  };
}
