import {Args, Flags} from '@oclif/core';
import {ChangeCommand, type Changed} from '../../change-command.js';

export default class FleetRetry extends ChangeCommand {
  static override summary = 'Have tasks wait again that failed or were cancelled.';
  static override description = 'They get all their attempts again. gemini fleet run continues with them.';
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
    const {args, flags} = await this.parse(FleetRetry);
    return this.change(args.fleet, flags.task, {by: 'retry', said: 'wait again'});
  }
}
