import {Args, Flags} from '@oclif/core';
import {ChangeCommand, type Changed} from '../../change-command.js';

export default class FleetCancel extends ChangeCommand {
  static override summary = 'Cancel tasks that wait or run.';
  static override description = 'Runs end within two seconds, and what they did is dropped.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> headers',
    '<%= config.bin %> <%= command.id %> headers --task 4f1d --task 99ab',
  ];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };
  static override flags = {
    task: Flags.string({description: 'The beginning of the id of a task; can be repeated.', multiple: true}),
  };

  async run(): Promise<Changed> {
    const {args, flags} = await this.parse(FleetCancel);
    return this.change(args.fleet, flags.task, {by: 'cancel', said: 'are cancelled'});
  }
}
