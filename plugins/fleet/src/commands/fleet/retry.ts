import {Args, Flags} from '@oclif/core';
import {FleetCommand} from '../../fleet-command.js';

interface Changed {
  readonly name: string;
  readonly tasks: number;
}

export default class FleetRetry extends FleetCommand {
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
    const {engine, address, fleet} = await this.openFleet(args.fleet);
    const ids = flags.task === undefined ? undefined : await this.idsOf({engine, address}, flags.task);
    const tasks = await engine.retry(address, ids);
    this.log(`${fleet.name}: ${tasks} tasks wait again.`);
    return {name: fleet.name, tasks};
  }
}
