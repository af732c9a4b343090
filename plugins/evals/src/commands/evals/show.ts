import {Args, Flags} from '@oclif/core';
import {EvalCommand} from '../../eval-command.js';
import type {Summary} from '../../results/summarize.js';
import type {Variant} from '../../variant/variant.js';

export default class EvalsShow extends EvalCommand {
  static override summary = 'Show the results of a run of evaluations.';
  static override description =
    'Rates are those of the repetitions in which the model could be asked. The interval is that of Wilson, with 95 %.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> results.jsonl --json',
  ];
  static override args = {
    run: Args.string({
      description: 'File or name of a run; the latest if left out.',
      default: 'latest',
      ignoreStdin: true,
    }),
  };

  static override flags = {html: Flags.string({description: 'File for a page with pictures.'})};

  async run(): Promise<Summary & {readonly file: string; readonly variant?: Variant}> {
    const {args, flags} = await this.parse(EvalsShow);
    const [{readRun}, {summarize}, {tableOf}, {describeVariant}] = await Promise.all([
      import('../../results/read-run.js'),
      import('../../results/summarize.js'),
      import('../../results/table.js'),
      import('../../variant/variant.js'),
    ]);
    const run = await readRun(await this.fileOf(args.run));
    const summary = summarize(run);
    for (const line of tableOf(summary, (kind, text) => this.style(kind, text))) this.log(line);
    this.log(this.style('dim', `${run.results.length} results in ${run.file}, from ${run.header.started}`));
    const {variant} = run.header;
    if (variant !== undefined) this.log(this.style('dim', `Variant: ${describeVariant(variant)}`));
    if (flags.html !== undefined) await this.writePage(flags.html, run);
    return {file: run.file, ...(variant === undefined ? {} : {variant}), ...summary};
  }
}
