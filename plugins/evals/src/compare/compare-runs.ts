import {KernelError} from '@gemini-kernel/kernel';
import type {Run} from '../results/result.js';
import {summarize, type Row} from '../results/summarize.js';
import type {Variant} from '../variant/variant.js';
import {exactTest, holm, type Pair} from './exact-test.js';

/** How one evaluation differs between two runs. */
export interface Difference {
  readonly eval: string;
  readonly modelA: string;
  readonly modelB: string;
  readonly a: Row;
  readonly b: Row;
  /** The rate of B less that of A. */
  readonly difference: number;
  /** Of Fisher's exact test. */
  readonly p: number;
  /** The same with Holm's correction for the number of evaluations. */
  readonly adjusted: number;
  readonly verdict: Verdict;
  /** Whether the evaluation was changed between the runs. */
  readonly isChanged: boolean;
}

export type Verdict = 'better' | 'worse' | 'no difference shown';

export interface Comparison {
  readonly a: string;
  readonly b: string;
  /** What the run had in the place of a component. */
  readonly variantA?: Variant;
  readonly variantB?: Variant;
  readonly rows: readonly Difference[];
  /** Over all evaluations that both have, each compared with itself. */
  readonly total: {readonly difference: number; readonly p: number; readonly verdict: Verdict};
  /** Evaluations that only one of them has results of. */
  readonly missing: readonly string[];
  readonly isWorse: boolean;
}

/** What is called a difference. */
export const LEVEL = 0.05;

/** Compares B with A, with the same models unless two are named. Throws KernelError EVAL_RUN_UNKNOWN. */
export function compareRuns(a: Run, b: Run, models?: readonly [a: string, b: string]): Comparison {
  const [rowsA, rowsB] = [judgedRows(a), judgedRows(b)];
  const [modelA, modelB] = models ?? onlyModels(rowsA, rowsB) ?? [];
  const others = rowsB.filter(({model}) => modelB === undefined || model === modelB);
  const pairs = rowsA
    .filter(({model}) => modelA === undefined || model === modelA)
    .flatMap((row) => {
      const other = others.find((one) => one.eval === row.eval && (modelA !== undefined || one.model === row.model));
      return other === undefined ? [] : [{row, other}];
    });
  if (pairs.length === 0)
    throw new KernelError('EVAL_RUN_UNKNOWN', `${a.file} and ${b.file} have no results to compare.`, {
      hint: 'Both need results of the same evaluations; --models a,b compares two models.',
    });
  const tests = pairs.map(({row, other}) => exactTest([pairOf(row, other)]));
  const adjusted = holm(tests);
  const rows = pairs.map(({row, other}, index) =>
    differenceOf({row, other, p: tests[index] ?? 1, adjusted: adjusted[index] ?? 1}, digestsDiffer(row.eval, a, b)),
  );
  const total = totalOf(rows);
  const both = new Set(rows.map((one) => one.eval));
  return {
    ...{a: a.file, b: b.file, rows, total},
    ...(a.header.variant === undefined ? {} : {variantA: a.header.variant}),
    ...(b.header.variant === undefined ? {} : {variantB: b.header.variant}),
    missing: [...new Set([...rowsA, ...rowsB].map((row) => row.eval))].filter((name) => !both.has(name)).sort(),
    isWorse: total.verdict === 'worse' || rows.some(({verdict}) => verdict === 'worse'),
  };
}

function judgedRows(run: Run): readonly Row[] {
  return summarize(run).rows.filter(({rate}) => rate !== undefined);
}

/** Two runs with one model each are compared although it is not the same. */
function onlyModels(a: readonly Row[], b: readonly Row[]): readonly [string, string] | undefined {
  const [ofA, ofB] = [a, b].map((rows) => [...new Set(rows.map(({model}) => model))]);
  const [first, second] = [ofA?.[0], ofB?.[0]];
  if (ofA?.length !== 1 || ofB?.length !== 1 || first === undefined || second === undefined) return undefined;
  return [first, second];
}

function digestsDiffer(name: string, a: Run, b: Run): boolean {
  return a.header.evals[name]?.digest !== b.header.evals[name]?.digest;
}

function pairOf(a: Row, b: Row): Pair {
  return {passedA: a.passed, countA: a.passed + a.failed, passedB: b.passed, countB: b.passed + b.failed};
}

function differenceOf(
  {row, other, p, adjusted}: {readonly row: Row; readonly other: Row; readonly p: number; readonly adjusted: number},
  isChanged: boolean,
): Difference {
  const difference = (other.rate ?? 0) - (row.rate ?? 0);
  const verdict = verdictOf(difference, adjusted);
  return {
    ...{eval: row.eval, modelA: row.model, modelB: other.model, a: row, b: other},
    ...{difference, p, adjusted, verdict, isChanged},
  };
}

/** The mean of the differences by the weights of Mantel and Haenszel, and the exact test over all of them. */
function totalOf(rows: readonly Difference[]): Comparison['total'] {
  const pairs = rows.map(({a, b}) => pairOf(a, b));
  const weights = pairs.map(({countA, countB}) => (countA * countB) / (countA + countB));
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const difference = rows.reduce((sum, row, index) => sum + row.difference * (weights[index] ?? 0), 0) / weight;
  const p = exactTest(pairs);
  return {difference, p, verdict: verdictOf(difference, p)};
}

function verdictOf(difference: number, p: number): Verdict {
  if (p >= LEVEL || difference === 0) return 'no difference shown';
  return difference > 0 ? 'better' : 'worse';
}
