import {Args, Flags} from '@oclif/core';
import {FleetCommand} from '../../fleet-command.js';

export default class FleetWatch extends FleetCommand {
  static override summary = 'Follow what happens in a fleet, until nothing waits or runs.';
  static override description =
    'With --json, each event is a line with a number, and --after continues behind it. What is too old to be kept is ' +
    'left out.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> headers --json --after 120',
  ];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };
  static override flags = {
    after: Flags.integer({description: 'Number of the last event that is known.', min: 0, default: 0}),
  };

  async run(): Promise<void> {
    const {args, flags} = await this.parse(FleetWatch);
    const opened = await this.openFleet(args.fleet);
    const {followQueue, describeEvent} = await import('../../show/follow.js');
    for await (const event of followQueue(opened, flags.after, this.host.signal)) {
      if (this.jsonEnabled()) this.host.output.write(`${JSON.stringify(event)}\n`);
      else this.log(describeEvent(event));
    }
  }
}
