import {release} from 'node:os';
import {arch, getgid, getuid, pid} from 'node:process';
import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Confined, ConfineRequest} from '../../contract.js';
import {Bubblewrap} from '../../linux/bubblewrap.js';
import {findBubblewrap} from '../../linux/find-bubblewrap.js';
import {Laboratory} from '../../leaks/laboratory.js';
import {allProbes} from '../../leaks/probes/index.js';
import {runProbes, type Probed} from '../../leaks/run-probes.js';
import {isMachine} from '../../seccomp/filter-file.js';

interface Tested {
  readonly probes: readonly Probed[];
  readonly held: number;
  readonly works: number;
  readonly leaked: number;
  readonly broken: number;
  readonly skipped: number;
}

export default class SandboxTest extends KernelCommand {
  static override summary = 'Try on this machine what a confined program must not reach.';
  static override description =
    'Builds a home with secrets, a project and servers in the temporary folder, and tries from inside a sandbox to ' +
    'read, change and reach them. Nothing of yours is touched, and nothing is sent to another machine. The exit code ' +
    'is 1 when something leaks, when something that must work does not, or when --only names no probe.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --only write',
  ];
  static override flags = {
    only: Flags.string({description: 'Only probes whose names begin with this.', helpValue: '<name>'}),
  };

  async run(): Promise<Tested> {
    const {flags} = await this.parse(SandboxTest);
    const {temporary, variables} = this.kernel.environment;
    const probes = allProbes().filter(({id}) => id.startsWith(flags.only ?? ''));
    const laboratory = await Laboratory.build(temporary);
    const environment = {home: laboratory.home, temporary, variables: {...variables, HOME: laboratory.home}};
    const bubblewrap = await this.open(environment);
    try {
      const {signal} = new AbortController();
      // As a command of the model starts: with an exit, and watched. Whatever it asks for is refused.
      const refuse = {decide: () => false, decidePath: () => false};
      const confine = (request: ConfineRequest): Promise<Confined> =>
        bubblewrap.confine(request, {}, {...refuse, signal: new AbortController().signal});
      const progress = (probed: Probed): void => this.show(probed);
      const results = await runProbes({probes, laboratory, variables, confine, progress}, signal);
      return this.finish(results);
    } finally {
      bubblewrap.close();
      await laboratory.close();
    }
  }

  /** Throws KernelError SANDBOX_UNAVAILABLE. */
  private async open(environment: ConstructorParameters<typeof Bubblewrap>[1]['environment']): Promise<Bubblewrap> {
    const {isPossible} = await (await this.service('sandbox')).state();
    const found = await findBubblewrap();
    if ('sentence' in found || !isPossible || !isMachine(arch))
      throw new KernelError('SANDBOX_UNAVAILABLE', 'No sandbox can be used here, so there is nothing to test.', {
        hint: '`gemini sandbox status` shows what is missing.',
      });
    return new Bubblewrap(found.file, {
      ...{machine: arch, pid, release: release(), environment},
      ...{user: getuid?.() ?? 0, group: getgid?.() ?? 0},
    });
  }

  private show({id, what, outcome, detail}: Probed): void {
    const isGood = outcome === 'held' || outcome === 'works';
    const mark = isGood
      ? this.style('good', '✓')
      : this.style(outcome === 'skipped' ? 'dim' : 'bad', outcome === 'skipped' ? '-' : '✗');
    this.log(`${mark} ${id.padEnd(28)} ${outcome.padEnd(8)} ${what}`);
    if (!isGood && detail) this.log(`    ${detail.replaceAll('\n', '\n    ')}`);
  }

  private finish(probes: readonly Probed[]): Tested {
    const count = (outcome: Probed['outcome']): number => probes.filter((one) => one.outcome === outcome).length;
    const tested = {
      probes,
      held: count('held'),
      works: count('works'),
      leaked: count('leaked'),
      broken: count('broken'),
      skipped: count('skipped'),
    };
    const {held, works, leaked, broken, skipped} = tested;
    this.log(`\n${held} held, ${leaked} leaked; ${works} work, ${broken} do not; ${skipped} skipped.`);
    if (probes.length === 0) {
      const groups = [...new Set(allProbes().map(({id}) => id.split('.')[0]))].join(', ');
      this.log(`No probe was tried: no name begins with what --only says. They begin with ${groups}.`);
    }
    if (leaked + broken > 0 || probes.length === 0) this.host.end(1);
    return tested;
  }
}
