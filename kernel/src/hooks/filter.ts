import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '../contract/environment.js';
import {listOf} from '../catalog/filter-fault.js';
import type {Filter} from '../contract/hook.js';
import type {Touch} from '../contract/tool-call.js';
import {matchesGlob} from './matches-glob.js';

/** What a dispatch is about, as far as filters can ask. */
export interface Subject {
  readonly tool?: string;
  readonly effect?: string;
  readonly mode?: string;
  readonly live?: boolean;
  readonly touches?: readonly Touch[];
}

/** What a filter may look for outside the call. */
export type Surroundings = Pick<Environment, 'variables' | 'temporary'>;

type Test = (subject: Subject, surroundings: Surroundings) => boolean;

/** Compiles a filter to a test. Every key given must match; within a key, any of its patterns. */
export function compileFilter(filter: Filter | undefined): Test {
  if (!filter) return () => true;
  const tests = Object.entries(testsOf).flatMap(([key, testOf]) => {
    const value = filter[key as keyof Filter];
    return value === undefined ? [] : [testOf(value as never)];
  });
  return (subject, surroundings) => tests.every((test) => test(subject, surroundings));
}

/** What each key of a filter asks of a subject. */
const testsOf: {readonly [K in keyof Filter]-?: (value: NonNullable<Filter[K]>) => Test} = {
  live: (value) => (subject) => (subject.live ?? false) === value,
  effect: (value) => (subject) => isAmong(subject.effect, listOf(value)),
  mode: (value) => (subject) => isAmong(subject.mode, listOf(value)),
  tool: (value) => {
    const patterns = listOf(value).flatMap(expandBraces);
    return ({tool = ''}) => patterns.length === 0 || patterns.some((pattern) => matchesGlob(pattern, tool, false));
  },
  path: (value) => {
    const patterns = listOf(value).flatMap(expandBraces);
    const isMatch = (path: string): boolean => patterns.some((pattern) => matchesGlob(pattern, path, true));
    return ({touches = []}) =>
      patterns.length === 0 ||
      touches.some(({kind, value: path}) => kind === 'path' && isMatch(path.replaceAll('\\', '/')));
  },
  present: (value) => (_, surroundings) => listOf(value).some((one) => isPresent(one, surroundings)),
};

function isAmong(value: string | undefined, list: readonly string[]): boolean {
  return list.length === 0 || (value !== undefined && list.includes(value));
}

/** Looked at each time: what is not there yet can come. */
function isPresent(one: string, {variables, temporary}: Surroundings): boolean {
  if (one.startsWith('$')) return Boolean(variables[one.slice(1)]);
  try {
    return readdirSync(join(temporary, ...one.split('/').slice(1))).length > 0;
  } catch {
    // What cannot be listed is not there for this program.
    return false;
  }
}

/** What each alternative in braces makes of a pattern, outermost first. */
function expandBraces(pattern: string): readonly string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  const cuts = [open];
  let close = open + 1;
  for (let depth = 1; depth > 0 && close < pattern.length; close += 1) {
    if (pattern[close] === '{') depth += 1;
    if (pattern[close] === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && pattern[close] === ',')) cuts.push(close);
  }
  const alternatives = cuts.slice(1).map((cut, index) => pattern.slice((cuts[index] ?? 0) + 1, cut));
  return alternatives.flatMap((one) => expandBraces(pattern.slice(0, open) + one + pattern.slice(close)));
}
