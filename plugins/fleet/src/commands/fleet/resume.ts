import {Args} from '@oclif/core';
import {FleetCommand} from '../../fleet-command.js';

interface Changed {
  readonly name: string;
  readonly isPaused: boolean;
}

export default class FleetResume extends FleetCommand {
  static override summary = 'End the pause of a fleet.';
  static override description = 'Workers that are there continue; without any, gemini fleet run starts them.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> headers'];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };

  async run(): Promise<Changed> {
    const {args} = await this.parse(FleetResume);
    const {engine, address, fleet} = await this.openFleet(args.fleet);
    await engine.set(address, {isPaused: false});
    this.log(`${fleet.name}: no longer paused.`);
    return {name: fleet.name, isPaused: false};
  }
}
