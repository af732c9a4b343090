import {givenWords} from '@gemini-kernel/processes';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {Comparison} from '../../compare/compare-runs.js';
import type {Eval} from '../../format/eval.js';
import {baseFileOf, variantFileOf} from '../../results/find-run.js';
import {ResultsFile} from '../../results/results-file.js';
import type {Result, Run} from '../../results/result.js';
import {RunCommand, type Choice} from '../../run-command.js';
import {planRepetitions} from '../../run/plan-repetitions.js';
import {interleave, runEvals, type Arm, type ArmTask} from '../../run/run-evals.js';
import {chooseVariant} from '../../variant/choose-variant.js';
import type {Variant} from '../../variant/variant.js';

interface Ablated {
  readonly variant: Variant;
  /** The results without the variant, and those with it. */
  readonly files: {readonly without: string; readonly with: string};
  /** Repetitions that were not run, since their model could not be asked. */
  readonly left: number;
  /** Repetitions with the variant in which it took the place of the component, and all that passed or failed. */
  readonly varied: {readonly repetitions: number; readonly of: number};
  readonly comparison?: Comparison;
}

export default class EvalsAblate extends RunCommand {
  static override summary = 'Compare a description or an instruction that models get with a variant of it.';
  static override description =
    'Runs evaluations with the variant and without, the same repetition of both one after the other, and compares ' +
    'them like gemini evals compare. Components are tools.<tool>.description, ' +
    'tools.<tool>.parameters.<parameter>, instruction, instruction.<section>, compression.threshold and ' +
    'compression.instruction. A value is a text, or @ with a file; an empty one leaves the component out. Only ' +
    'descriptions and instructions change: names, parameters and rules stay. The exit code is 1 when the variant is ' +
    'worse with p < 0.05, when no request had it, or when a model could not be asked.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> tools.replace.description=@shorter.txt edits --repeat 5 --jobs 4',
    '<%= config.bin %> <%= command.id %> tools.read_file.parameters.end_line="The last line." --models gemini-3-flash',
    '<%= config.bin %> <%= command.id %> instruction.how-you-speak= --html page.html',
    '<%= config.bin %> <%= command.id %> compression.threshold=0.2 long-context --output ablation.jsonl',
  ];
  static override args = {
    variant: Args.string({description: '<component>=<text or @file>', required: true, ignoreStdin: true}),
    filter: Args.string({description: 'A part of the names of evaluations.', ignoreStdin: true}),
  };
  static override flags = {
    from: Flags.string({description: 'Folder with evaluations; evals if left out.'}),
    models: Flags.string({description: 'Models with commas between them; "recorded" is the recording.'}),
    repeat: Flags.integer({description: 'Repetitions for each model.', min: 1, max: 1000}),
    jobs: Flags.integer({description: 'Repetitions at once.', min: 1, max: 64, default: 2}),
    output: Flags.string({description: 'File for the results (.jsonl); one below ~/.gemini if left out.'}),
    resume: Flags.string({
      description: 'Run to continue: its file, its name, or latest.',
      exclusive: ['output', 'from'],
    }),
    html: Flags.string({description: 'File for a page with pictures.'}),
    yes: Flags.boolean({description: 'Allow what the evaluations do without a question.'}),
  };

  async run(): Promise<Ablated> {
    const {args, flags} = await this.parse(EvalsAblate);
    const {cwd, temporary} = this.kernel.environment;
    const [{findEvals, noEvals}, {needsOf}, {readRun}] = await Promise.all([
      import('../../format/find-evals.js'),
      import('../../format/needs-of.js'),
      import('../../results/read-run.js'),
    ]);
    const resumed = flags.resume === undefined ? undefined : baseFileOf(await this.fileOf(flags.resume));
    const before = resumed === undefined ? undefined : await readRun(resumed);
    if (before?.header.variant !== undefined) throw this.ofAblation(before);
    const choice = this.choose({filter: args.filter, ...flags}, before);
    await this.requireTrust(choice.root);
    const variant = await this.chooseVariant(args.variant);
    const found = await findEvals(choice.root, choice.filter);
    if (found.length === 0) throw noEvals(choice.root, choice.filter);
    // A call without a model has no variant.
    const evals = found.filter(({task}) => task.kind === 'prompt');
    if (evals.length === 0) throw this.withoutModel(choice);
    await this.agree(needsOf(evals), flags.yes);
    const file = resumed ?? (await this.newFile(flags.output));
    const arms = await this.open(file, {variant, isResumed: resumed !== undefined});
    try {
      const tasks = interleave(await Promise.all(arms.map((arm) => this.begin(arm, evals, choice))));
      const left = await runEvals(tasks, {
        ...{temporary, host: this.host, signal: this.host.signal, atOnce: flags.jobs, isRecording: false},
        given: givenWords(flags, (path) => resolve(cwd, path)),
        onResult: this.teller(tasks.length, true),
      });
      const [a, b] = await Promise.all(arms.map((arm) => readRun(arm.file.file)));
      return await this.finish({a: a as Run, b: b as Run, variant, left: left.length}, flags.html);
    } catch (error) {
      if (this.host.signal.aborted)
        this.logToStderr(`Continue it with the same variant and gemini evals ablate --resume ${file}`);
      throw error;
    } finally {
      for (const arm of arms) await arm.file.close();
    }
  }

  private async chooseVariant(word: string): Promise<Variant> {
    return chooseVariant(word, {
      cwd: this.kernel.environment.cwd,
      tools: () => this.conversation.tools(),
      sections: async () => (await (await this.service('agent')).frame()).sections,
    });
  }

  /** Opens the results of both runs. What is continued has to be of the same variant, which is always given. */
  private async open(
    file: string,
    {variant, isResumed}: {readonly variant: Variant; readonly isResumed: boolean},
  ): Promise<readonly Arm[]> {
    const first = await ResultsFile.open(file, {resume: isResumed});
    try {
      const second = await ResultsFile.open(variantFileOf(file), {
        resume: isResumed && first.run?.results.length !== 0,
      });
      const known = second.run?.header.variant;
      const isOther = second.run && (known?.component !== variant.component || known.value !== variant.value);
      if (!isOther) return [{file: first}, {file: second, variant}];
      await second.close();
      throw new KernelError('EVAL_FLAG_INVALID', `${second.file} has results of another variant.`, {
        hint: 'Pass the variant that it was begun with: gemini evals show says which.',
      });
    } catch (error) {
      await first.close();
      throw error;
    }
  }

  /** Notes that a run begins, or continues, and gives what it has to do. */
  private async begin(arm: Arm, evals: readonly Eval[], choice: Choice): Promise<readonly ArmTask[]> {
    const tasks = planRepetitions(evals, choice, arm.file.run?.results ?? []).map((one) => ({...one, arm}));
    await arm.file.append(this.headerOf(evals, choice, arm.variant));
    return tasks;
  }

  private async finish(
    {a, b, variant, left}: {readonly a: Run; readonly b: Run; readonly variant: Variant; readonly left: number},
    html: string | undefined,
  ): Promise<Ablated> {
    const {compareRuns} = await import('../../compare/compare-runs.js');
    const [without, judged] = [a, b].map(judgedOf) as [readonly Result[], readonly Result[]];
    const varied = {repetitions: judged.filter((one) => (one.varied ?? 0) > 0).length, of: judged.length};
    const isAsked = left === 0 && without.length + judged.length === a.results.length + b.results.length;
    const comparison = without.length > 0 && judged.length > 0 ? compareRuns(a, b) : undefined;
    if (comparison) await this.show(comparison);
    for (const run of [a, b]) this.log(this.style('dim', `Results: ${run.file}`));
    this.tellWeakness(variant, varied, left);
    if (html !== undefined) await this.writePage(html, b, comparison);
    const isGood = isAsked && varied.repetitions > 0 && comparison?.isWorse === false;
    if (!isGood) this.host.end(1);
    return {
      variant,
      files: {without: a.file, with: b.file},
      left,
      varied,
      ...(comparison === undefined ? {} : {comparison}),
    };
  }

  private async show(comparison: Comparison): Promise<void> {
    const {differenceTable} = await import('../../compare/difference-table.js');
    this.log();
    for (const line of differenceTable(comparison, (kind, text) => this.style(kind, text))) this.log(line);
  }

  /** Says what a comparison does not show. */
  private tellWeakness({component}: Variant, {repetitions, of}: Ablated['varied'], left: number): void {
    if (of > 0 && repetitions === 0)
      this.logToStderr(`The variant was never used: no run had ${component}. The comparison says nothing about it.`);
    else if (repetitions < of)
      this.logToStderr(`The variant of ${component} was used in ${repetitions} of ${of} repetitions.`);
    if (left > 0) this.logToStderr(`${left} repetitions were left out, since their model could not be asked.`);
  }

  private withoutModel({root}: Choice): KernelError {
    return new KernelError('EVAL_UNKNOWN', `The chosen evaluations in ${root} have no prompt, so no model is asked.`, {
      hint: 'Choose evaluations with a prompt.',
    });
  }
}

/** The repetitions in which the model could be asked. */
function judgedOf({results}: Run): readonly Result[] {
  return results.filter(({status}) => status !== 'error');
}
