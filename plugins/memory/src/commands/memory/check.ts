import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import {findRepeated, tokensOf, type Repeated} from '../../facts/check.js';
import {askForContradictions} from '../../facts/contradictions.js';
import budget from '../../settings/budget.js';

interface Checked {
  readonly files: readonly {readonly path: string; readonly tokens: number}[];
  readonly tokens: number;
  readonly budget: number;
  readonly repeated: readonly Repeated[];
  readonly contradictions?: string;
}

export default class MemoryCheck extends KernelCommand {
  static override summary = 'Check the context files: their size, lines that stand twice, and contradictions.';
  static override description =
    'Sizes are estimates. Contradictions are looked for by the model, with --contradictions only: it gets the files.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --contradictions',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override flags = {
    contradictions: Flags.boolean({description: 'Ask the model which lines contradict each other.'}),
  };
  static override slash = true;

  async run(): Promise<Checked> {
    const {flags} = await this.parse(MemoryCheck);
    const given = await (await this.service('memory')).files();
    const files = given.map(({path, text}) => ({path, tokens: tokensOf(text)}));
    const tokens = files.reduce((sum, one) => sum + one.tokens, 0);
    const most = Number(await (await this.service('settings')).get(budget.key));
    for (const file of files) this.log(`${`~${file.tokens}`.padStart(7)} tokens  ${file.path}`);
    this.log(`${`~${tokens}`.padStart(7)} tokens in all`);
    if (most > 0 && tokens > most)
      this.log(this.style('warn', `That is more than ${most} (context.memoryBudget), with every request.`));
    const repeated = findRepeated(given);
    for (const {text, places} of repeated) {
      this.log(`\n${this.style('warn', 'Stands more than once:')} ${text}`);
      for (const {path, line} of places) this.log(`  ${path}:${line}`);
    }
    if (repeated.length === 0) this.log('No line stands twice.');
    const checked = {files, tokens, budget: most, repeated};
    return flags.contradictions ? {...checked, contradictions: await this.#askModel(given)} : checked;
  }

  async #askModel(files: Parameters<typeof askForContradictions>[0]): Promise<string> {
    const agent = await this.service('agent');
    const answer = await askForContradictions(files, (request) => agent.ask(request, this.host.signal));
    if ('failure' in answer)
      throw new KernelError('MEMORY_UNCHECKED', `The model did not answer: ${answer.failure}`, {
        hint: 'Run it without --contradictions to check the rest.',
      });
    this.log(`\n${answer.text}`);
    return answer.text;
  }
}
