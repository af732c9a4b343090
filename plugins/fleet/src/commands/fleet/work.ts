import {join, resolve} from 'node:path';
import {givenWords} from '@gemini-kernel/processes';
import {KernelError} from '@gemini-kernel/kernel';
import {Flags} from '@oclif/core';
import type {Counts, Idle} from '../../contract.js';
import {FleetCommand} from '../../fleet-command.js';

interface Ended extends Counts {
  readonly stopped: Idle | 'left';
}

export default class FleetWork extends FleetCommand {
  static override summary = 'Work on a queue that several machines share.';
  static override description =
    'The queue was begun by gemini fleet run --queue with the same address. What tasks may do is written in them: ' +
    'start workers only for queues that you trust. Ctrl+C gives back what runs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from postgres://fleet@db/fleet --jobs 4 --yes',
    '<%= config.bin %> <%= command.id %> --from redis://queue:6379/0 --until-empty --yes',
  ];
  static override flags = {
    from: Flags.string({description: 'Address of the queue.', required: true}),
    jobs: Flags.integer({description: 'Tasks at once.', min: 1, max: 256, default: 2}),
    'until-empty': Flags.boolean({description: 'End when nothing waits or runs.'}),
    keep: Flags.boolean({description: 'Keep the checkouts of tasks that are done.'}),
    yes: Flags.boolean({description: 'Run what the queue has without a question.'}),
  };

  async run(): Promise<Ended> {
    const {flags} = await this.parse(FleetWork);
    const {engineOf, shownAddress} = await import('../../fleets/engine-of.js');
    if (engineOf(flags.from) === undefined)
      throw new KernelError('QUEUE_ABSENT', `${flags.from} is no address of a queue that machines share.`, {
        hint: 'Use postgres:// or redis://. On one machine, gemini fleet run has its own workers.',
      });
    const opened = await this.open(flags.from);
    await this.#agree(shownAddress(flags.from), flags.yes);
    const [{workOnQueue}, {showWork}, {tally, used}] = await Promise.all([
      import('../../work/work-queue.js'),
      import('../../show/show-work.js'),
      import('../../show/describe.js'),
    ]);
    const fleets = await this.fleets;
    const {output, terminal, signal} = this.host;
    const shown = showWork({
      ...{...opened, output, isLive: terminal && !this.jsonEnabled()},
      print: (line) => this.log(line),
      style: (kind, text) => this.style(kind, text),
    });
    const {environment} = this.kernel;
    try {
      const stopped = await workOnQueue({
        ...{...opened, environment, signal, watch: shown, jobs: flags.jobs, isKept: flags.keep},
        ...{folder: join(fleets.folder, '.shared'), work: fleets.workOf('.shared'), mirrors: fleets.mirrors},
        given: givenWords(flags, (path) => resolve(environment.cwd, path)),
        isStaying: !flags['until-empty'],
        telemetry: await this.telemetry(),
      });
      shown.close();
      const counts = await opened.engine.counts(opened.address);
      this.log(`${tally(counts)}; ${used(counts)}.`);
      signal.throwIfAborted();
      return {stopped, ...counts};
    } finally {
      shown.close();
    }
  }

  /** Throws KernelError FLEET_NOT_AGREED. */
  async #agree(address: string, isGiven: boolean): Promise<void> {
    if (isGiven) return;
    const text = `Everyone who can write to ${address} decides what runs here.`;
    const answer = await this.ask({
      ...{title: 'Tasks of this queue run without a question for each.', text, about: {kind: 'fleet', needs: [text]}},
      fields: [{name: 'agree', kind: 'yes-no', label: 'Start?', default: false}],
    });
    if (answer.outcome === 'answered' && answer.values['agree'] === true) return;
    throw new KernelError('FLEET_NOT_AGREED', `${text} You did not agree.`, {hint: 'Pass --yes to start.'});
  }
}
