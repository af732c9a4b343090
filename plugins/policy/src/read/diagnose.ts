import type {Problem} from '../rule.js';

/** Everything that is wrong in the rule files. */
export interface Diagnosis {
  /** By file, then place, errors first where both stand. */
  readonly problems: readonly Problem[];
  readonly errors: number;
  readonly warnings: number;
}

/** Sorts and counts problems. */
export function diagnose(problems: readonly Problem[]): Diagnosis {
  const errors = problems.filter(({severity}) => severity === 'error').length;
  return {problems: [...problems].sort(compareProblems), errors, warnings: problems.length - errors};
}

/** A problem as compilers show it, `file:line:column severity message`, with its hint on a line of its own. */
export function renderProblem({file, line, column, severity, message, hint}: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place} ${severity} ${message}${hint === undefined ? '' : `\n  ${hint}`}`;
}

function compareProblems(a: Problem, b: Problem): number {
  return (
    compare(a.file, b.file) ||
    compare(a.line ?? 0, b.line ?? 0) ||
    compare(a.column ?? 0, b.column ?? 0) ||
    compare(a.severity, b.severity) ||
    compare(a.message, b.message)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
