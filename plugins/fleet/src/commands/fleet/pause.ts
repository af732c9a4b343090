import {Args} from '@oclif/core';
import {FleetCommand} from '../../fleet-command.js';

interface Changed {
  readonly name: string;
  readonly isPaused: boolean;
}

export default class FleetPause extends FleetCommand {
  static override summary = 'Pause a fleet.';
  static override description =
    'Runs stop at once and are continued later from where they were. No model is asked meanwhile.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> headers'];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };

  async run(): Promise<Changed> {
    const {args} = await this.parse(FleetPause);
    const {engine, address, fleet} = await this.openFleet(args.fleet);
    await engine.set(address, {isPaused: true});
    this.log(`${fleet.name}: paused.`);
    return {name: fleet.name, isPaused: true};
  }
}
