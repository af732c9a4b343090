import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {Comparison} from '../../compare/compare-runs.js';
import {EvalCommand} from '../../eval-command.js';
import {readList} from '../../read-flags.js';

export default class EvalsCompare extends EvalCommand {
  static override summary = 'Compare two runs of evaluations, or two models.';
  static override description =
    "Each evaluation is compared by Fisher's exact test, two-sided, with Holm's correction for their number; all " +
    'together by the exact conditional test, in which each evaluation is a stratum. The exit code is 1 when the ' +
    'second is worse with p < 0.05.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> before.jsonl after.jsonl --html page.html',
    '<%= config.bin %> <%= command.id %> latest --models gemini-3-flash,openai:qwen3',
  ];
  static override args = {
    a: Args.string({description: 'File or name of a run.', required: true, ignoreStdin: true}),
    b: Args.string({description: 'The run that is compared with it; the same if left out.', ignoreStdin: true}),
  };
  static override flags = {
    models: Flags.string({description: 'The model of the first run and that of the second, with a comma.'}),
    html: Flags.string({description: 'File for a page with pictures.'}),
  };

  async run(): Promise<Comparison> {
    const {args, flags} = await this.parse(EvalsCompare);
    const [{readRun}, {compareRuns}, {differenceTable}] = await Promise.all([
      import('../../results/read-run.js'),
      import('../../compare/compare-runs.js'),
      import('../../compare/difference-table.js'),
    ]);
    const models = this.twoModels(flags.models, args.b === undefined);
    const a = await readRun(await this.fileOf(args.a));
    const b = args.b === undefined ? a : await readRun(await this.fileOf(args.b));
    const comparison = compareRuns(a, b, models);
    for (const line of differenceTable(comparison, (kind, text) => this.style(kind, text))) this.log(line);
    if (flags.html !== undefined) await this.writePage(flags.html, b, comparison);
    if (comparison.isWorse) this.host.end(1);
    return comparison;
  }

  private twoModels(text: string | undefined, isNeeded: boolean): readonly [string, string] | undefined {
    const [first, second, ...more] = readList('models', text);
    if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
    if (text === undefined && !isNeeded) return undefined;
    const given = text === undefined ? 'is missing' : `has ${JSON.stringify(text)}`;
    throw new KernelError('EVAL_FLAG_INVALID', `--models ${given}, and two models are needed to compare.`, {
      hint: 'Pass two runs, or one run with --models a,b.',
    });
  }
}
