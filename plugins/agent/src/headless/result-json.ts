import {isAbsolute, relative, sep} from 'node:path';
import type {AgentStats, ModelStats, TurnEnd} from '../contract.js';
import {statusOfStop} from '../run-stop.js';
import type {Failure as FailedStart, Finish} from './report.js';

type Failure = NonNullable<TurnEnd['error']>;
type Fields = Readonly<Record<string, unknown>>;

/** An error in the form that every command uses for programs. */
export function toJSONError({code, message, hint, status}: Failure, exit: number): Fields {
  return {type: 'KernelError', code, message, ...(hint ? {hint} : {}), exit, ...(status === undefined ? {} : {status})};
}

/** The result of a run that could not start. */
export function toFailure({sessionId, error, exit}: FailedStart): Fields {
  const outcome = wordFor(statusOfStop(error.code) ?? 'failed');
  return {session_id: sessionId, status: 'error', outcome, error: toJSONError(error, exit)};
}

/** The common part of both JSON formats, besides the answer and the statistics. */
export function toOutcome({sessionId, end, stats, exit, directory}: Finish): Fields {
  const {status, error, structured, refused, changed, warnings} = end;
  const cost = costOf(stats);
  return {
    session_id: sessionId,
    status: error ? 'error' : 'success',
    outcome: wordFor(status),
    ...(structured === undefined ? {} : {structured}),
    usage: usageOf(stats),
    ...(cost === undefined ? {} : {cost}),
    changed_files: changed.map((path) => showPath(path, directory)),
    refused: refused.map(({tool, id, input, reason}) => ({tool_name: tool, tool_id: id, parameters: input, reason})),
    warnings,
    ...(error ? {error: toJSONError(error, exit)} : {}),
  };
}

function wordFor(status: TurnEnd['status']): string {
  return status === 'aborted' ? 'interrupted' : status;
}

/** Relative to the directory of the run with slashes; outside it absolute. */
function showPath(path: string, directory: string): string {
  const below = relative(directory, path);
  const isBelow = below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return isBelow ? below.split(sep).join('/') : path;
}

function usageOf({models}: AgentStats): Fields {
  const sum = (pick: (one: ModelStats) => number): number => models.reduce((total, one) => total + pick(one), 0);
  return {
    requests: sum(({requests}) => requests),
    input_tokens: sum(({usage}) => usage.input),
    output_tokens: sum(({usage}) => usage.output),
    cached_tokens: sum(({usage}) => usage.cached),
    thought_tokens: sum(({usage}) => usage.thoughts),
    tool_tokens: sum(({usage}) => usage.tool),
    total_tokens: sum(({usage}) => usage.total),
  };
}

/** In US dollars; undefined unless the price of every used model is known. */
function costOf({models}: AgentStats): number | undefined {
  if (models.length === 0 || models.some(({cost}) => cost === undefined)) return undefined;
  return Number(models.reduce((sum, {cost = 0}) => sum + cost, 0).toFixed(9));
}
