import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Variant} from '../variant/variant.js';
import {keyOf, type Result, type Run, type RunHeader} from './result.js';

const LARGEST = 256 * 2 ** 20;
const MOST_FAULTS = 100;
const LONGEST_FAULT = 4000;

/** Reads the results of a run. A last line that was cut off does not count. Throws KernelError EVAL_RUN_UNREADABLE. */
export async function readRun(file: string): Promise<Run> {
  const text = await readText(file, {limit: LARGEST}).catch((error: unknown) => {
    throw unreadable(file, messageOf(error), error);
  });
  return parseRun(file, text);
}

/** The run in a text that was read already. */
export function parseRun(file: string, text: string): Run {
  const headers: RunHeader[] = [];
  const results = new Map<string, Result>();
  const lines = text.split('\n');
  // What follows the last line end is a line that was cut off, or nothing.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    if (line.trim() === '') continue;
    const value = parseLine(line, `${file}, line ${index + 1}`);
    if (value.kind === 'run') headers.push(value);
    else {
      // It counts where it ended last.
      results.delete(keyOf(value));
      results.set(keyOf(value), value);
    }
  }
  const [first] = headers;
  if (first === undefined) throw unreadable(file, 'it does not begin with a line {"kind": "run", …}.');
  const evals = Object.assign({}, ...headers.map((header) => header.evals)) as RunHeader['evals'];
  return {file, header: {...first, evals}, results: [...results.values()]};
}

function parseLine(line: string, place: string): RunHeader | Result {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw unreadable(place, messageOf(error), error);
  }
  if (isHeader(value) || isResult(value)) return value;
  throw unreadable(place, 'it is neither a line of a run nor a result.');
}

function isHeader(value: unknown): value is RunHeader {
  const header = value as Partial<RunHeader> | null;
  return header?.kind === 'run' && header.format === 1 && isObject(header.evals) && isVariant(header.variant);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isVariant(value: unknown): boolean {
  const variant = value as Partial<Variant> | null | undefined;
  return variant === undefined || (typeof variant?.component === 'string' && typeof variant.value === 'string');
}

/** A result that came from elsewhere, with what a result has and nothing else; undefined for anything else. */
export function parseResult(value: unknown): Result | undefined {
  if (!isResult(value)) return undefined;
  const {kind, eval: name, model, repetition, digest, status, outcome, calls, refused, turns, tokens, seconds} = value;
  return {
    ...{kind, eval: name, model, repetition, digest, status, outcome, calls, refused, turns, tokens, seconds},
    faults: value.faults.slice(0, MOST_FAULTS).map((fault) => fault.slice(0, LONGEST_FAULT)),
    ...(value.cost === undefined ? {} : {cost: value.cost}),
    conversation: value.conversation,
  };
}

const NUMBERS = ['repetition', 'calls', 'refused', 'turns', 'tokens', 'seconds'] as const;
const TEXTS = ['eval', 'model', 'digest', 'outcome', 'conversation'] as const;

function isResult(value: unknown): value is Result {
  const result = value as Partial<Result> | null;
  return (
    result?.kind === 'result' &&
    ['passed', 'failed', 'error'].includes(result.status ?? '') &&
    Array.isArray(result.faults) &&
    result.faults.every((fault) => typeof fault === 'string') &&
    NUMBERS.every((name) => typeof result[name] === 'number') &&
    TEXTS.every((name) => typeof result[name] === 'string') &&
    [result.cost, result.varied].every((value) => value === undefined || typeof value === 'number')
  );
}

function unreadable(place: string, why: string, cause?: unknown): KernelError {
  return new KernelError('EVAL_RUN_UNREADABLE', `The results of evaluations in ${place} cannot be read: ${why}`, {
    cause,
    hint: 'Pass a file that `gemini evals run` wrote, or the name of a run.',
  });
}
