import {mkdtemp, rm} from 'node:fs/promises';
import {join} from 'node:path';
import type {CommandHost} from '@gemini-kernel/command';
import {makePrivateFolder} from '@gemini-kernel/files';
import {calibrate} from '../checks/judge.js';
import {RECORDED, type Eval} from '../format/eval.js';
import type {ResultsFile} from '../results/results-file.js';
import {conversationsOf, type Result} from '../results/result.js';
import {runAll} from '../runner/run-all.js';
import {runRepetition, type Repetition} from './run-repetition.js';

export interface EvalsRun {
  readonly host: Pick<CommandHost, 'run'>;
  readonly signal: AbortSignal;
  readonly temporary: string;
  readonly atOnce: number;
  readonly given: readonly string[];
  /** Keeps the answers of the model in the first repetition that passes as the recording of its evaluation. */
  readonly isRecording: boolean;
  readonly file: ResultsFile;
  onResult(result: Result): void;
}

/** After so many errors one after the other, a model is not asked again in this run. */
const MOST_ERRORS = 3;

/** Runs repetitions and appends each result as it ends. Gives those that were left out. Throws as `runAll` does. */
export async function runEvals(tasks: readonly Repetition[], run: EvalsRun): Promise<readonly Repetition[]> {
  const {host, signal, temporary, given, file, atOnce} = run;
  const conversations = conversationsOf(file.file);
  await makePrivateFolder(conversations);
  const errors = new Map<string, number>();
  const recorded = new Set<string>();
  const calibrated = createCalibration(run);
  return runAll(tasks, {
    ...{atOnce, signal},
    isLeftOut: ({model}) => (errors.get(model) ?? 0) >= MOST_ERRORS,
    run: (one) =>
      runRepetition(one, {
        ...{host, signal, temporary, given, conversations, calibrated},
        records: ({name, task}) =>
          run.isRecording && task.kind === 'prompt' && one.model !== RECORDED && !recorded.has(name),
      }),
    async onResult({model}, result) {
      errors.set(model, result.status === 'error' ? (errors.get(model) ?? 0) + 1 : 0);
      if (result.status === 'passed') recorded.add(result.eval);
      await file.append(result);
      run.onResult(result);
    },
  });
}

/** Asks each judge about its own cases once. */
function createCalibration({host, signal, temporary}: EvalsRun): (one: Eval) => Promise<string | undefined> {
  const asked = new Map<string, Promise<string | undefined>>();
  const ask = async (judge: NonNullable<Eval['judge']>): Promise<string | undefined> => {
    const folder = await mkdtemp(join(temporary, 'gemini-judge-'));
    try {
      return await calibrate(judge, {host, signal, folder});
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  };
  return ({name, judge}) => {
    if (judge === undefined) return Promise.resolve(undefined);
    const known = asked.get(name) ?? ask(judge);
    asked.set(name, known);
    return known;
  };
}
