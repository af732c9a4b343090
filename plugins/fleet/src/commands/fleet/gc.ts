import {Args, Flags} from '@oclif/core';
import {FleetCommand} from '../../fleet-command.js';

interface Freed {
  readonly removed: readonly string[];
  readonly bytes: number;
}

export default class FleetGc extends FleetCommand {
  static override summary = 'Remove checkouts that are no longer needed.';
  static override description =
    'Checkouts of tasks that are done, failed or cancelled go; results and branches stay. With --all, mirrors of ' +
    'repositories go too, and with them branches that were not pushed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> headers',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; all if left out.', ignoreStdin: true}),
  };
  static override flags = {all: Flags.boolean({description: 'Remove mirrors of repositories too.'})};

  async run(): Promise<Freed> {
    const {args, flags} = await this.parse(FleetGc);
    const fleets = await this.fleets;
    const {removeCheckouts, removeMirrors} = await import('../../fleets/remove-left.js');
    const names = args.fleet === undefined ? (await fleets.list()).map(({name}) => name) : [args.fleet];
    const removed: {readonly path: string; readonly bytes: number}[] = [];
    for (const name of names) {
      const {engine, address} = await this.openFleet(name);
      const busy = await engine.list(address, {states: ['waiting', 'running']});
      removed.push(
        ...(await removeCheckouts(fleets.workOf(name), new Set(busy.map(({task: {id}}) => id.slice(0, 16))))),
      );
    }
    if (flags.all) removed.push(...(await removeMirrors(fleets.mirrors, fleets.works)));
    const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
    this.log(`Removed ${removed.length} folders, ${(bytes / 2 ** 20).toFixed(1)} MiB.`);
    return {removed: removed.map(({path}) => path), bytes};
  }
}
