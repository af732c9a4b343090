import type {Result, Run} from './result.js';
import {wilson} from './wilson.js';

/** The repetitions of one evaluation with one model. */
export interface Row {
  readonly eval: string;
  readonly model: string;
  readonly passed: number;
  readonly failed: number;
  /** Repetitions in which the model could not be asked. */
  readonly errors: number;
  /** Of those that passed or failed; undefined when there is no such repetition. */
  readonly rate?: number;
  readonly interval: readonly [low: number, high: number];
  /** Means over the same repetitions. */
  readonly turns: number;
  readonly tokens: number;
  readonly seconds: number;
  /** Undefined unless each of them has one. */
  readonly cost?: number;
  /** Whether as many passed as the evaluation wants, and no repetition is an error. */
  readonly isGood: boolean;
  /** The most frequent faults first. */
  readonly faults: readonly {readonly fault: string; readonly count: number}[];
}

export interface Summary {
  readonly rows: readonly Row[];
  /** One for each model, over all evaluations. */
  readonly totals: readonly Row[];
  readonly isGood: boolean;
}

/** What the results of a run come to, by evaluation and model. */
export function summarize({header, results}: Run): Summary {
  const rateOf = (name: string): number => header.evals[name]?.passRate ?? 1;
  const names = [...new Set(results.map((result) => result.eval))].sort();
  const models = [...new Set(results.map(({model}) => model))].sort();
  const rows = names.flatMap((name) =>
    models.flatMap((model) => {
      const own = results.filter((result) => result.eval === name && result.model === model);
      return own.length === 0 ? [] : [rowOf(name, model, own, rateOf(name))];
    }),
  );
  const totals = models.map((model): Row => {
    const total = rowOf(
      'all',
      model,
      results.filter((result) => result.model === model),
      1,
    );
    return {...total, isGood: rows.filter((row) => row.model === model).every(({isGood}) => isGood)};
  });
  return {rows, totals, isGood: rows.every(({isGood}) => isGood)};
}

function rowOf(name: string, model: string, results: readonly Result[], passRate: number): Row {
  const judged = results.filter(({status}) => status !== 'error');
  const passed = judged.filter(({status}) => status === 'passed').length;
  const errors = results.length - judged.length;
  const rate = judged.length === 0 ? undefined : passed / judged.length;
  const costs = judged.flatMap(({cost}) => (cost === undefined ? [] : [cost]));
  return {
    ...{eval: name, model, passed, failed: judged.length - passed, errors},
    ...(rate === undefined ? {} : {rate}),
    interval: wilson(passed, judged.length),
    turns: mean(judged.map(({turns}) => turns)),
    tokens: mean(judged.map(({tokens}) => tokens)),
    seconds: mean(judged.map(({seconds}) => seconds)),
    ...(judged.length > 0 && costs.length === judged.length ? {cost: mean(costs)} : {}),
    isGood: errors === 0 && (rate ?? 0) >= passRate,
    faults: countFaults(results),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function countFaults(results: readonly Result[]): Row['faults'] {
  const counts = new Map<string, number>();
  for (const fault of results.flatMap(({faults}) => [...new Set(faults)]))
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return [...counts].map(([fault, count]) => ({fault, count})).sort((a, b) => b.count - a.count);
}
