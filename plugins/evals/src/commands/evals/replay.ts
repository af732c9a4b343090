import {join} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {EvalCommand} from '../../eval-command.js';
import {conversationsOf, type Result, type Run} from '../../results/result.js';
import type {StreamEvent} from '../../run/read-conversation.js';
import type {Variant} from '../../variant/variant.js';

interface Replayed {
  readonly result: Result;
  readonly variant?: Variant;
  readonly events: readonly StreamEvent[];
}

const LARGEST = 256 * 2 ** 20;

export default class EvalsReplay extends EvalCommand {
  static override summary = 'Show the conversation of one repetition of an evaluation.';
  static override description =
    'Without --model and --repetition it is the first one that did not pass, or else the first. No model is asked.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> latest rename',
    '<%= config.bin %> <%= command.id %> results.jsonl rename --model gemini-3-flash --repetition 2',
  ];
  static override args = {
    run: Args.string({description: 'File or name of a run, or latest.', required: true, ignoreStdin: true}),
    eval: Args.string({description: 'Name of the evaluation.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    model: Flags.string({char: 'm', description: 'Model of the repetition.'}),
    repetition: Flags.integer({description: 'Number of the repetition.', min: 1}),
  };

  async run(): Promise<Replayed> {
    const {args, flags} = await this.parse(EvalsReplay);
    const [{readRun}, {readEvents}, {conversationLines}, {describeVariant}] = await Promise.all([
      import('../../results/read-run.js'),
      import('../../run/read-conversation.js'),
      import('../../run/conversation-lines.js'),
      import('../../variant/variant.js'),
    ]);
    const run = await readRun(await this.fileOf(args.run));
    const result = this.find(run, {name: args.eval, ...flags});
    const events = readEvents(await this.read(run, result));
    const {eval: name, model, repetition, status, faults} = result;
    this.log(this.style('strong', `${name}  ${model}  ${repetition}: ${status}`));
    const {variant} = run.header;
    if (variant !== undefined) this.log(this.style('dim', `Variant: ${describeVariant(variant)}`));
    for (const line of conversationLines(events)) this.log(line);
    for (const fault of faults) this.log(`${this.style('bad', '✗')} ${fault}`);
    return {result, ...(variant === undefined ? {} : {variant}), events};
  }

  private find(
    run: Run,
    {name, model, repetition}: {name: string; model?: string | undefined; repetition?: number | undefined},
  ): Result {
    const found = run.results.filter(
      (one) =>
        one.eval === name &&
        (model === undefined || one.model === model) &&
        (repetition === undefined || one.repetition === repetition),
    );
    const result = found.find(({status}) => status !== 'passed') ?? found[0];
    if (result) return result;
    const which = [name, model, repetition].filter((part) => part !== undefined).join(', ');
    throw new KernelError('EVAL_RUN_UNKNOWN', `${run.file} has no result of ${which}.`, {
      hint: 'gemini evals show lists what is in it.',
    });
  }

  private async read(run: Run, {conversation}: Result): Promise<string> {
    // The name comes from a file that anyone may have written.
    if (conversation === '' || !/^[0-9a-f]{24}\.jsonl$/.test(conversation))
      throw new KernelError('EVAL_RUN_UNREADABLE', `This repetition of ${run.file} has no conversation.`, {
        hint: 'Its faults say why: gemini evals show.',
      });
    const file = join(conversationsOf(run.file), conversation);
    return readText(file, {limit: LARGEST}).catch((cause: unknown) => {
      throw new KernelError('EVAL_RUN_UNREADABLE', `Cannot read the conversation ${file}: ${messageOf(cause)}`, {
        cause,
        hint: 'Keep the folder of conversations beside the results.',
      });
    });
  }
}
