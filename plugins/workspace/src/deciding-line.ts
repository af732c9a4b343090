import {basename, sep} from 'node:path';
import type {IgnoreRule} from './contract.js';
import {asMatched, type Rule} from './ignore-file.js';

/** The rules of one file, whose paths are relative to `base`. */
export interface RuleList {
  readonly file: string;
  readonly base: string;
  readonly ignoreCase: boolean;
  readonly rules: readonly Rule[];
}

/** The lists that apply in a directory, each weakest first. */
interface Lists {
  readonly git: readonly RuleList[];
  readonly own: readonly RuleList[];
}

type Line = IgnoreRule & {readonly isNegated: boolean};

const GIT_ITSELF: Line = {file: 'built in', line: 0, pattern: '.git', isNegated: false};

/**
 * The last matching line of the strongest list with a match; `unknown` when that depends on whether the path is a
 * directory.
 */
export function decidingLine(
  {own, git}: Lists,
  path: string,
  isDirectory: boolean | undefined,
): Line | 'unknown' | undefined {
  if (basename(path) === '.git') return GIT_ITSELF;
  for (const lists of [own, git]) {
    for (let index = lists.length - 1; index >= 0; index -= 1) {
      const list = lists[index];
      const line = list && lastMatch(list, path, isDirectory);
      if (line !== undefined) return line;
    }
  }
  return undefined;
}

function lastMatch(
  {base, file, ignoreCase, rules}: RuleList,
  path: string,
  isDirectory: boolean | undefined,
): Line | 'unknown' | undefined {
  const inside = path.slice(base.endsWith(sep) ? base.length : base.length + 1);
  const matched = asMatched(sep === '/' ? inside : inside.replaceAll(sep, '/'), ignoreCase);
  const name = matched.slice(matched.lastIndexOf('/') + 1);
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index];
    if (rule === undefined || (rule.isForDirectories && isDirectory === false) || !rule.matches(matched, name))
      continue;
    return rule.isForDirectories && isDirectory === undefined
      ? 'unknown'
      : {file, line: rule.line, pattern: rule.pattern, isNegated: rule.isNegated};
  }
  return undefined;
}

/** The rule by which a line ignores; undefined when it does not. */
export function ignoring(line: Line | 'unknown' | undefined): IgnoreRule | undefined {
  if (line === undefined || line === 'unknown' || line.isNegated) return undefined;
  return {file: line.file, line: line.line, pattern: line.pattern};
}
