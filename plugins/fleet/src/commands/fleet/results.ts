import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import type {QueueState} from '../../contract.js';
import type {EffectRecord} from '../../effects/effect-journal.js';
import {FleetCommand} from '../../fleet-command.js';
import type {ResultLine} from '../../results/result.js';

interface Told {
  readonly name: string;
  readonly results: readonly ResultLine[];
  readonly effects: readonly EffectRecord[];
}

export default class FleetResults extends FleetCommand {
  static override summary = 'Show what came of the tasks of a fleet.';
  static override description =
    'With --refused: what was refused since no one could be asked, and what would allow it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> headers --failed',
    '<%= config.bin %> <%= command.id %> headers --refused',
    '<%= config.bin %> <%= command.id %> headers --output results.jsonl',
  ];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };
  static override flags = {
    failed: Flags.boolean({description: 'Only tasks that failed.', exclusive: ['refused']}),
    refused: Flags.boolean({description: 'Only calls that were refused, and what would allow them.'}),
    output: Flags.string({description: 'Write the results to this file (.jsonl), a line for each task.'}),
  };

  async run(): Promise<Told> {
    const {args, flags} = await this.parse(FleetResults);
    const opened = await this.openFleet(args.fleet);
    const [{lineOf}, {describeLine, describeRefused}, {EffectJournal, describeEffect}] = await Promise.all([
      import('../../results/result.js'),
      import('../../show/describe-results.js'),
      import('../../effects/effect-journal.js'),
    ]);
    const states: readonly QueueState[] | undefined = flags.failed ? ['failed'] : undefined;
    const items = await opened.engine.list(opened.address, states === undefined ? {} : {states});
    const results = items.map(lineOf).filter(({refused}) => !flags.refused || refused.length > 0);
    const effects = await EffectJournal.look((await this.fleets).folderOf(opened.fleet.name));
    const style = (kind: 'good' | 'bad' | 'dim', text: string): string => this.style(kind, text);
    if (flags.refused) describeRefused(results).forEach((line) => this.log(line));
    else results.forEach((line) => this.log(describeLine(line, style)));
    if (results.length === 0) this.log(flags.refused ? 'Nothing was refused.' : 'No task is like that.');
    if (!flags.refused)
      effects.filter(({state}) => state !== 'done').forEach((one) => this.log(`outside   ${describeEffect(one)}`));
    if (flags.output !== undefined) {
      const file = resolve(this.kernel.environment.cwd, flags.output);
      await (await import('../../results/write-results.js')).writeResults(opened, file);
      this.log(this.style('dim', `Results: ${file}`));
    }
    return {name: opened.fleet.name, results, effects};
  }
}
