import {givenWords} from '@gemini-kernel/processes';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {QueueEngine, Spending} from '@gemini-kernel/plugin-fleet/contract';
import type {Comparison} from '../../compare/compare-runs.js';
import type {Eval} from '../../format/eval.js';
import type {Collected} from '../../queue/collect-results.js';
import type {Run} from '../../results/result.js';
import type {ResultsFile} from '../../results/results-file.js';
import type {Summary} from '../../results/summarize.js';
import type {Repetition} from '../../run/run-repetition.js';
import {RunCommand, type Choice} from '../../run-command.js';

interface Ended extends Summary {
  readonly file: string;
  /** Repetitions that were not run: their model could not be asked, or the budget was used up. */
  readonly left: number;
  /** With the baseline. */
  readonly comparison?: Comparison;
}

/** A queue that workers share. */
interface Queue {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly budget?: Partial<Spending>;
}

interface RunFlags extends Readonly<Record<string, unknown>> {
  readonly jobs: number;
  readonly record: boolean;
}

/** Why repetitions were not run. */
const WHY = {
  model: 'their model could not be asked',
  budget: 'the budget of the queue is used up',
  paused: 'the queue is paused',
} as const;

export default class EvalsRun extends RunCommand {
  static override summary = 'Run evaluations, and see how often models do what they should.';
  static override description =
    'Each repetition runs this program in a new copy of the project, without a person. Results are appended as they ' +
    'end, one JSON object a line. The exit code is 0 when each evaluation passes as often as it has to, and 1 ' +
    'otherwise; with --baseline it is 1 when the run is worse than that, or a model could not be asked. The folder ' +
    'has to be trusted; what evaluations do besides edits is shown, and you are asked.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> edits --models gemini-3-flash,openai:qwen3 --repeat 5 --jobs 4',
    '<%= config.bin %> <%= command.id %> --resume results.jsonl',
    '<%= config.bin %> <%= command.id %> --models recorded --yes',
  ];
  static override args = {
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
    record: Flags.boolean({description: 'Keep the answers of a repetition that passes as the recording.'}),
    baseline: Flags.string({description: 'Run to compare with: it decides the exit code.'}),
    queue: Flags.string({
      description: 'Address of a queue (postgres://, redis://), from which gemini evals work runs them.',
      exclusive: ['jobs', 'record'],
    }),
    budget: Flags.string({description: 'US dollars that the queue may spend, such as 5usd.', dependsOn: ['queue']}),
    tokens: Flags.string({description: 'Tokens that the queue may spend, such as 20M.', dependsOn: ['queue']}),
  };

  async run(): Promise<Ended> {
    const {args, flags} = await this.parse(EvalsRun);
    const [{findEvals, noEvals}, {needsOf}, {ResultsFile}, {readRun}] = await Promise.all([
      import('../../format/find-evals.js'),
      import('../../format/needs-of.js'),
      import('../../results/results-file.js'),
      import('../../results/read-run.js'),
    ]);
    const resumed = flags.resume === undefined ? undefined : await this.fileOf(flags.resume);
    const before = resumed === undefined ? undefined : await readRun(resumed);
    if (before?.header.variant !== undefined) throw this.ofAblation(before);
    const choice = this.choose({filter: args.filter, ...flags}, before);
    const baseline = flags.baseline === undefined ? undefined : await readRun(await this.fileOf(flags.baseline));
    const evals = await findEvals(choice.root, choice.filter);
    if (evals.length === 0) throw noEvals(choice.root, choice.filter);
    await this.requireTrust(choice.root);
    const queue = flags.queue === undefined ? undefined : await this.openQueue(flags.queue, flags);
    // What workers may do, they are asked where they run.
    if (queue === undefined) await this.agree(needsOf(evals), flags.yes);
    const file = await ResultsFile.open(resumed ?? (await this.newFile(flags.output)), {resume: resumed !== undefined});
    try {
      const left = await this.runInto(file, {evals, choice, queue, flags});
      return await this.finish(await readRun(file.file), left, {baseline, html: flags.html});
    } catch (error) {
      if (this.host.signal.aborted) this.logToStderr(`Continue it with gemini evals run --resume ${file.file}`);
      throw error;
    } finally {
      await file.close();
    }
  }

  /** Runs what is missing, here or by workers of a queue. */
  private async runInto(
    file: ResultsFile,
    {evals, choice, queue, flags}: {evals: readonly Eval[]; choice: Choice; queue: Queue | undefined; flags: RunFlags},
  ): Promise<Collected<Repetition>> {
    const [{planRepetitions}, {runEvals}, {collectInto}] = await Promise.all([
      import('../../run/plan-repetitions.js'),
      import('../../run/run-evals.js'),
      import('../../queue/collect-into.js'),
    ]);
    const {cwd, temporary} = this.kernel.environment;
    const tasks = planRepetitions(evals, choice, file.run?.results ?? []).map((one) => ({...one, arm: {file}}));
    const header = this.headerOf(evals, choice);
    await file.append(header);
    const common = {signal: this.host.signal, onResult: this.teller(tasks.length)};
    if (queue) return collectInto(file, {...queue, ...common, tasks, run: file.run?.header.run ?? header.run});
    const left = await runEvals(tasks, {
      ...{...common, temporary, host: this.host, atOnce: flags.jobs, isRecording: flags.record},
      given: givenWords(flags, (path) => resolve(cwd, path)),
    });
    return {left};
  }

  private async openQueue(
    address: string,
    flags: {readonly budget?: string | undefined; readonly tokens?: string | undefined},
  ): Promise<Queue> {
    const given = givenWords(flags, (path) => path);
    if (given.length > 0)
      throw new KernelError('EVAL_FLAG_INVALID', `${given.join(' ')} has no effect with --queue.`, {
        hint: 'Rules and permissions are those of the machine that runs it: pass it to gemini evals work there.',
      });
    const [{readBudget}, {shownAddress}] = await Promise.all([
      import('../../queue/read-budget.js'),
      import('@gemini-kernel/plugin-fleet/queues'),
    ]);
    const budget = readBudget(flags);
    const engine = await this.queueAt(address, 'queue');
    this.logToStderr(`Workers run them: gemini evals work --from ${shownAddress(address)}`);
    return {engine, address, ...(budget === undefined ? {} : {budget})};
  }

  private async finish(
    run: Run,
    {left, reason}: Collected<Repetition>,
    {baseline, html}: {readonly baseline: Run | undefined; readonly html: string | undefined},
  ): Promise<Ended> {
    const [{summarize}, {tableOf}] = await Promise.all([
      import('../../results/summarize.js'),
      import('../../results/table.js'),
    ]);
    const summary = summarize(run);
    this.log();
    for (const line of tableOf(summary, (kind, text) => this.style(kind, text))) this.log(line);
    if (left.length > 0)
      this.logToStderr(
        `${left.length} repetitions were left out, since ${WHY[reason ?? 'model']}. ` +
          `Run them with gemini evals run --resume ${run.file}`,
      );
    this.log(this.style('dim', `Results: ${run.file}`));
    const comparison = baseline === undefined ? undefined : await this.compare(baseline, run);
    if (html !== undefined) await this.writePage(html, run, comparison);
    const isAsked = left.length === 0 && run.results.every(({status}) => status !== 'error');
    const isGood = isAsked && (comparison === undefined ? summary.isGood : !comparison.isWorse);
    if (!isGood) this.host.end(1);
    return {file: run.file, left: left.length, ...summary, isGood, ...(comparison === undefined ? {} : {comparison})};
  }

  private async compare(baseline: Run, run: Run): Promise<Comparison> {
    const [{compareRuns}, {differenceTable}] = await Promise.all([
      import('../../compare/compare-runs.js'),
      import('../../compare/difference-table.js'),
    ]);
    const comparison = compareRuns(baseline, run);
    this.log();
    for (const line of differenceTable(comparison, (kind, text) => this.style(kind, text))) this.log(line);
    return comparison;
  }
}
