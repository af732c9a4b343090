import {Args, Flags} from '@oclif/core';
import type {QueueEvent, QueueItem} from '../../contract.js';
import {FleetCommand} from '../../fleet-command.js';

interface Told {
  readonly item: QueueItem;
  readonly events: readonly QueueEvent[];
}

export default class FleetExplain extends FleetCommand {
  static override summary = 'Show all that is known of a task.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 4f1d',
    '<%= config.bin %> <%= command.id %> 4f1d --json',
  ];
  static override args = {
    task: Args.string({description: 'The beginning of the id of a task.', required: true, ignoreStdin: true}),
  };
  static override flags = {fleet: Flags.string({description: 'Name of a fleet; the latest if left out.'})};

  async run(): Promise<Told> {
    const {args, flags} = await this.parse(FleetExplain);
    const opened = await this.openFleet(flags.fleet);
    const [item] = (await this.itemsOf(opened, [args.task])) as readonly [QueueItem];
    const [{explainItem}, {eventsOf, describeEvent}] = await Promise.all([
      import('../../show/explain-item.js'),
      import('../../show/follow.js'),
    ]);
    const events = await eventsOf(opened, item.task.id);
    explainItem(item, (text) => this.style('dim', text)).forEach((line) => this.log(line));
    events.forEach((event) => this.log(`  ${describeEvent(event)}`));
    return {item, events};
  }
}
