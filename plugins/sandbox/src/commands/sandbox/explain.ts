import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Mount, Plan} from '../../contract.js';
import {describeFilter, type RefusedCalls} from '../../seccomp/describe-filter.js';

interface Explained extends Plan {
  readonly mode: string;
  readonly filter: readonly RefusedCalls[];
}

const WORDS: Readonly<Record<Mount['kind'], string>> = {
  read: 'read-only',
  write: 'writable',
  private: 'of the session',
  fresh: 'new, writable',
  empty: 'new, empty',
  masked: 'empty file',
  system: 'new',
};

const REACHES: Readonly<Record<Plan['network']['reach'], string>> = {
  all: 'the network of this machine',
  hosts: 'these hosts, by the exit',
  none: 'loopback of its own only',
};

export default class SandboxExplain extends KernelCommand {
  static override summary = 'Show what a confined command sees, and where each part comes from.';
  static override description = 'A later line counts over an earlier one. Works also while the sandbox is off.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --mode plan',
    '<%= config.bin %> <%= command.id %> --filter',
  ];
  static override flags = {
    mode: Flags.option({
      description: 'The approval mode.',
      options: ['default', 'auto_edit', 'plan', 'yolo'] as const,
    })(),
    filter: Flags.boolean({description: 'Show the system calls that are refused instead.'}),
  };
  static override slash = true;

  async run(): Promise<Explained> {
    const {flags} = await this.parse(SandboxExplain);
    const [sandbox, workspace] = [await this.service('sandbox'), await this.service('workspace')];
    const mode = flags.mode ?? this.session.mode;
    const roots = (await workspace.roots()).map(({path}) => path);
    const plan = await sandbox.explain({roots, mode});
    const filter = describeFilter();
    if (flags.filter) this.showFilter(filter);
    else this.showPlan(plan, mode);
    return {mode, ...plan, filter};
  }

  private showPlan({mounts, network, memory, processes}: Plan, mode: string): void {
    this.log(`What a command sees in the mode ${mode}:\n`);
    const width = Math.min(60, Math.max(...mounts.map(({path}) => path.length)));
    for (const {kind, path, why} of mounts) this.log(`${WORDS[kind].padEnd(15)} ${path.padEnd(width)}  ${why}`);
    this.log(`\nNetwork: ${REACHES[network.reach]}, because ${network.why}.`);
    for (const {host, why} of network.hosts ?? []) this.log(`  ${host.padEnd(width)}  ${why}`);
    if (memory !== undefined) this.log(`Memory: ${memory} MB for each process (setting tools.sandboxMemory).`);
    this.log(
      processes === undefined
        ? 'Processes: no limit; tools.sandboxProcesses is 0, or you are root, whose processes are not counted.'
        : `Processes: ${processes} at most (setting tools.sandboxProcesses).`,
    );
    this.log('Namespaces of its own for processes, mounts, network, users, IPC and host name; no capabilities.');
    this.log('System calls: see --filter.');
  }

  private showFilter(filter: readonly RefusedCalls[]): void {
    for (const {why, calls, error} of filter)
      this.log(`${error.padEnd(15)} ${calls.join(' ')}\n                ${why}`);
  }
}
