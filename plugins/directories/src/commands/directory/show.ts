import {KernelCommand} from '@gemini-kernel/command';
import type {PendingRoot, Root} from '@gemini-kernel/plugin-workspace/contract';
import {FAULTS, findFault, type DirectoryFault} from '../../find-fault.js';
import {nameSource, nameWanted} from '../../source-name.js';

type Shown = Root & {readonly fault?: DirectoryFault};

export default class DirectoryShow extends KernelCommand {
  static override summary = 'Show the directories that tools may reach.';
  static override description = 'Lists them in order, with real paths and the source of each.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override aliases = ['/dir:show'];
  static override slash = true;

  async run(): Promise<{directories: readonly Shown[]; pending: readonly PendingRoot[]}> {
    await this.parse(DirectoryShow);
    const workspace = await this.service('workspace');
    const directories = await Promise.all((await workspace.roots()).map(withFault));
    const width = Math.max(...directories.map(({path}) => path.length));
    this.log(directories.length === 1 ? 'Tools reach 1 directory:' : `Tools reach ${directories.length} directories:`);
    for (const root of directories) {
      const fault = root.fault === undefined ? '' : `  ${this.style('warn', FAULTS[root.fault])}`;
      this.log(`  ${root.path.padEnd(width)}  ${this.style('dim', nameSource(root))}${fault}`);
    }
    const pending = await workspace.pending();
    if (pending.length > 0)
      this.log(`Not included until you add ${pending.length === 1 ? 'it' : 'them'} (gemini directory add <path>):`);
    for (const one of pending) this.log(`  ${one.path}  ${this.style('dim', nameWanted(one))}`);
    return {directories, pending};
  }
}

async function withFault(root: Root): Promise<Shown> {
  const fault = await findFault(root.path);
  return fault === undefined ? root : {...root, fault};
}
