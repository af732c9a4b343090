import {Args, Flags} from '@oclif/core';
import type {Counts} from '../../contract.js';
import {FleetCommand} from '../../fleet-command.js';

interface State extends Counts {
  readonly name: string;
  readonly started: string;
}

interface Told {
  readonly fleets: readonly State[];
}

export default class FleetStatus extends FleetCommand {
  static override summary = 'Show how far a fleet is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --all --json',
  ];
  static override args = {
    fleet: Args.string({description: 'Name of a fleet; the latest if left out.', ignoreStdin: true}),
  };
  static override flags = {all: Flags.boolean({description: 'Show all fleets.'})};

  async run(): Promise<Told> {
    const {args, flags} = await this.parse(FleetStatus);
    const names = flags.all ? (await (await this.fleets).list()).map(({name}) => name) : [args.fleet];
    const {labelOf} = await import('../../show/live-table.js');
    const fleets: State[] = [];
    for (const one of names) {
      const opened = await this.openFleet(one);
      const {name, started} = opened.fleet;
      const counts = await opened.engine.counts(opened.address);
      fleets.push({name, started, ...counts});
      await this.#show(name, counts);
      if (flags.all) continue;
      for (const {task, worker = '', attempt, spent} of await opened.engine.list(opened.address, {states: ['running']}))
        this.log(
          `  ${worker.padEnd(4)}  ${task.id.slice(0, 12)}  ${labelOf(task.payload as never)}  ` +
            `${spent.tokens} tokens${attempt > 1 ? `, attempt ${attempt}` : ''}`,
        );
    }
    if (fleets.length === 0) this.log('There is no fleet.');
    return {fleets};
  }

  async #show(name: string, counts: Counts): Promise<void> {
    const {tally, used} = await import('../../show/describe.js');
    this.log(`${this.style('strong', name)}: ${tally(counts)}; ${used(counts)}${counts.isPaused ? '; paused' : ''}.`);
  }
}
