import {FleetCommand} from './fleet-command.js';

export interface Changed {
  readonly name: string;
  readonly tasks: number;
}

/** A command that changes the state of tasks. */
export abstract class ChangeCommand extends FleetCommand {
  /** All tasks of a fleet, or those that are given. */
  protected async change(
    given: string | undefined,
    parts: readonly string[] | undefined,
    {by, said}: {readonly by: 'cancel' | 'retry'; readonly said: string},
  ): Promise<Changed> {
    const {engine, address, fleet} = await this.openFleet(given);
    const ids = parts === undefined ? undefined : await this.idsOf({engine, address}, parts);
    const tasks = await engine[by](address, ids);
    this.log(`${fleet.name}: ${tasks} tasks ${said}.`);
    return {name: fleet.name, tasks};
  }
}
