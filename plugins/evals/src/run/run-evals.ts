import type {CommandHost} from '@gemini-kernel/command';
import {makePrivateFolder} from '@gemini-kernel/files';
import {RECORDED} from '../format/eval.js';
import type {ResultsFile} from '../results/results-file.js';
import {conversationsOf, type Result} from '../results/result.js';
import {runAll} from '../runner/run-all.js';
import type {Variant} from '../variant/variant.js';
import {createCalibration} from './calibration.js';
import {runRepetition, type Repetition} from './run-repetition.js';

/** What repetitions are run for: the results of one run, with a variant or without. */
export interface Arm {
  readonly file: ResultsFile;
  readonly variant?: Variant;
}

/** A repetition of one run of several. */
export interface ArmTask extends Repetition {
  readonly arm: Arm;
}

export interface EvalsRun {
  readonly host: Pick<CommandHost, 'run'>;
  readonly signal: AbortSignal;
  readonly temporary: string;
  readonly atOnce: number;
  readonly given: readonly string[];
  /** Keeps the answers of the model in the first repetition that passes as the recording of its evaluation. */
  readonly isRecording: boolean;
  onResult(result: Result, arm: Arm): void;
}

/** After so many errors one after the other, a model is not asked again in this run. */
const MOST_ERRORS = 3;

/** Runs repetitions and appends each result as it ends. Gives those that were left out. Throws as `runAll` does. */
export async function runEvals(tasks: readonly ArmTask[], run: EvalsRun): Promise<readonly ArmTask[]> {
  const {host, signal, temporary, given, atOnce} = run;
  for (const file of new Set(tasks.map(({arm}) => arm.file.file))) await makePrivateFolder(conversationsOf(file));
  const errors = new Map<string, number>();
  const recorded = new Set<string>();
  const calibrated = createCalibration(run);
  const modelOf = ({arm, model}: ArmTask): string => JSON.stringify([arm.file.file, model]);
  return runAll(tasks, {
    ...{atOnce, signal},
    isLeftOut: (one) => (errors.get(modelOf(one)) ?? 0) >= MOST_ERRORS,
    run: (one) =>
      runRepetition(one, {
        ...{host, signal, temporary, given, calibrated, conversations: conversationsOf(one.arm.file.file)},
        ...(one.arm.variant === undefined ? {} : {variant: one.arm.variant}),
        records: ({name, task}) =>
          run.isRecording && task.kind === 'prompt' && one.model !== RECORDED && !recorded.has(name),
      }),
    async onResult(one, result) {
      const key = modelOf(one);
      errors.set(key, result.status === 'error' ? (errors.get(key) ?? 0) + 1 : 0);
      if (result.status === 'passed') recorded.add(result.eval);
      await one.arm.file.append(result);
      run.onResult(result, one.arm);
    },
  });
}

/**
 * The tasks of several runs, the same repetition of each next to the other and in another order each time: what changes
 * at a provider meanwhile changes for all of them.
 */
export function interleave(arms: readonly (readonly ArmTask[])[]): readonly ArmTask[] {
  const placed = arms.flatMap((tasks, at) =>
    tasks.map((task) => ({
      task,
      at: (at + task.repetition) % arms.length,
      key: JSON.stringify([task.eval.name, task.model]),
    })),
  );
  return placed
    .sort((a, b) => a.task.repetition - b.task.repetition || compareTexts(a.key, b.key) || a.at - b.at)
    .map(({task}) => task);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
