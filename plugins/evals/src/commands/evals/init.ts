import {join, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {EvalCommand, FOLDER} from '../../eval-command.js';

interface Made {
  readonly suite: string;
  readonly folder: string;
  readonly evals: number;
}

interface Offered {
  readonly name: string;
  readonly description: string;
}

export default class EvalsInit extends EvalCommand {
  static override summary = 'Write evaluations that come with gemini into this project.';
  static override description =
    'Without a name it lists the suites. Read what it wrote before you trust the folder, and change it as you like.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> tools',
    '<%= config.bin %> <%= command.id %> edits --count 50 --seed 7',
  ];
  static override args = {suite: Args.string({description: 'Name of a suite.', ignoreStdin: true})};
  static override flags = {
    to: Flags.string({description: 'Folder to write; evals/<suite> if left out.'}),
    count: Flags.integer({description: 'How many a suite that generates them makes.', min: 1, max: 10_000}),
    seed: Flags.integer({description: 'The same seed makes the same evaluations.', default: 1, min: 0}),
  };

  async run(): Promise<Made | readonly Offered[]> {
    const {args, flags} = await this.parse(EvalsInit);
    const {findSuite, readSuites, writeSuite} = await import('../../suites/write-suite.js');
    const suites = await readSuites();
    if (args.suite === undefined) return this.offer(suites);
    const suite = findSuite(suites, args.suite);
    const folder = resolve(this.kernel.environment.cwd, flags.to ?? join(FOLDER, suite.name));
    const {seed} = flags;
    const evals = await writeSuite(suite, folder, {count: flags.count ?? suite.count ?? 0, seed});
    this.log(`Wrote ${evals} evaluations to ${folder}.`);
    this.log(this.style('dim', `Run them with gemini evals run --from ${folder}`));
    return {suite: suite.name, folder, evals};
  }

  private offer(suites: readonly Offered[]): readonly Offered[] {
    const width = Math.max(...suites.map(({name}) => name.length));
    for (const {name, description} of suites) this.log(`${this.style('strong', name.padEnd(width))}  ${description}`);
    return suites.map(({name, description}) => ({name, description}));
  }
}
