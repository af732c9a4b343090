import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {EvalCommand, FOLDER} from '../../eval-command.js';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly models: readonly string[];
  readonly repeat: number;
  readonly needs: readonly string[];
}

export default class EvalsList extends EvalCommand {
  static override summary = 'List the evaluations of this project.';
  static override description = 'It reads the evaluations and runs nothing. One that cannot be used ends it with 42.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> edits --json',
  ];
  static override args = {
    filter: Args.string({description: 'A part of the names of evaluations.', ignoreStdin: true}),
  };
  static override flags = {from: Flags.string({description: 'Folder with evaluations; evals if left out.'})};

  async run(): Promise<readonly Listed[]> {
    const {args, flags} = await this.parse(EvalsList);
    const [{findEvals, noEvals}, {needsOf}] = await Promise.all([
      import('../../format/find-evals.js'),
      import('../../format/needs-of.js'),
    ]);
    const root = resolve(this.kernel.environment.cwd, flags.from ?? FOLDER);
    const evals = await findEvals(root, args.filter);
    if (evals.length === 0) this.log(noEvals(root, args.filter ?? '').message);
    const listed = evals.map(({name, description, models, repeat, ...one}) => ({
      ...{name, description, models, repeat, needs: needsOf([one])},
    }));
    for (const {name, description, repeat, needs} of listed) {
      this.log(`${this.style('strong', name)}${repeat > 1 ? ` × ${repeat}` : ''}`);
      if (description !== '') this.log(`  ${description}`);
      for (const need of needs) this.log(`  ${this.style('dim', `needs ${need}`)}`);
    }
    return listed;
  }
}
