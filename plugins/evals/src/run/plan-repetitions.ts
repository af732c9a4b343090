import type {Eval} from '../format/eval.js';
import {keyOf, type Result} from '../results/result.js';
import type {Repetition} from './run-repetition.js';
import {NO_MODEL, OWN_MODEL} from './words-of.js';

export interface Wanted {
  /** From the command line; the evaluation's own where it is empty. */
  readonly models: readonly string[];
  readonly repeat?: number;
}

/**
 * What is still to be run: all repetitions but those that have a result of the same evaluation which is no error. The
 * first repetition of everything comes before the second of anything.
 */
export function planRepetitions(
  evals: readonly Eval[],
  {models, repeat}: Wanted,
  before: readonly Result[],
): readonly Repetition[] {
  const all = evals.flatMap((one) =>
    modelsOf(one, models).flatMap((model) =>
      Array.from({length: repeat ?? one.repeat}, (_, index) => ({eval: one, model, repetition: index + 1})),
    ),
  );
  const done = new Map(before.filter(({status}) => status !== 'error').map((result) => [keyOf(result), result.digest]));
  return all
    .filter(({eval: {name, digest}, model, repetition}) => done.get(keyOf({eval: name, model, repetition})) !== digest)
    .sort((a, b) => a.repetition - b.repetition);
}

function modelsOf({task, models}: Eval, given: readonly string[]): readonly string[] {
  if (task.kind === 'call') return [NO_MODEL];
  return given.length > 0 ? given : models.length > 0 ? models : [OWN_MODEL];
}
