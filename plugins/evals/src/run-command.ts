import {randomBytes} from 'node:crypto';
import {join, resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {EvalCommand, FOLDER} from './eval-command.js';
import type {Eval} from './format/eval.js';
import {checkOutput, readList} from './read-flags.js';
import {runsOf} from './results/find-run.js';
import type {Result, Run, RunHeader} from './results/result.js';
import type {Wanted} from './run/plan-repetitions.js';
import type {Arm} from './run/run-evals.js';
import type {Variant} from './variant/variant.js';

/** What is run, from the command line and from the run that is continued. */
export interface Choice extends Wanted {
  readonly root: string;
  readonly filter: string;
}

/** What commands that run evaluations share. */
export abstract class RunCommand extends EvalCommand {
  protected choose(
    flags: {
      readonly filter?: string | undefined;
      readonly from?: string | undefined;
      readonly models?: string | undefined;
      readonly repeat?: number | undefined;
    },
    before: Run | undefined,
  ): Choice {
    const header: Partial<RunHeader> = before?.header ?? {};
    const repeat = flags.repeat ?? header.repeat;
    return {
      root: resolve(this.kernel.environment.cwd, flags.from ?? header.from ?? FOLDER),
      filter: flags.filter ?? header.filter ?? '',
      models: flags.models === undefined ? (header.models ?? []) : readList('models', flags.models),
      ...(repeat === undefined ? {} : {repeat}),
    };
  }

  protected async newFile(output: string | undefined): Promise<string> {
    if (output !== undefined) return resolve(this.kernel.environment.cwd, checkOutput(output));
    const {temporary} = await (await this.service('project')).claim();
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    return join(runsOf(temporary), `${time}-${randomBytes(2).toString('hex')}.jsonl`);
  }

  protected headerOf(evals: readonly Eval[], {root, filter, models, repeat}: Choice, variant?: Variant): RunHeader {
    return {
      ...{kind: 'run', format: 1, run: randomBytes(8).toString('hex'), started: new Date().toISOString()},
      ...{version: this.config.version, from: root, filter, models},
      ...(repeat === undefined ? {} : {repeat}),
      ...(variant === undefined ? {} : {variant}),
      evals: Object.fromEntries(evals.map(({name, digest, passRate}) => [name, {digest, passRate}])),
    };
  }

  /** Shows each result as it comes. `isOfTwo`: with the variant or without. */
  protected teller(total: number, isOfTwo = false): (result: Result, arm: Arm) => void {
    let count = 0;
    return ({status, eval: name, model, repetition, seconds, faults}, {variant}) => {
      count += 1;
      const mark = status === 'passed' ? this.style('good', '✓') : this.style('bad', status === 'failed' ? '✗' : '!');
      const place = this.style('dim', `${count}/${total}`);
      const which = isOfTwo ? `  ${variant === undefined ? 'without' : 'with'}` : '';
      this.log(`${mark} ${place} ${name}  ${model}  ${repetition}${which}  ${seconds.toFixed(1)} s`);
      for (const fault of faults.slice(0, 3)) this.log(`    ${fault.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
    };
  }

  /** The error for results with a variant, where none is given. */
  protected ofAblation({file, header}: Run): KernelError {
    return new KernelError(
      'EVAL_FLAG_INVALID',
      `--resume names ${file}, whose repetitions have a variant of ${header.variant?.component ?? ''}.`,
      {hint: 'Continue it with gemini evals ablate, the same variant, and the file of the run without it.'},
    );
  }
}
