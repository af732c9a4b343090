import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import type {PendingRoot, Root} from '@gemini-kernel/plugin-workspace/contract';
import {nameSource} from '../../source-name.js';

const WANTED: Readonly<Record<PendingRoot['wantedBy'], string>> = {project: "the project's settings ask for it", session: 'this session had it', editor: 'the editor shows it'};

export default class DirectoryShow extends KernelCommand {
  static override summary = 'Show the directories that tools may reach.';
  static override description = 'Lists them in order, with real paths, and says what put each of them there.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{directories: readonly Root[]; pending: readonly PendingRoot[]}> {
    await this.parse(DirectoryShow);
    const workspace = await this.service('workspace');
    const directories = await workspace.roots();
    const width = Math.max(...directories.map(({path}) => path.length));
    this.log(directories.length === 1 ? 'Tools reach 1 directory:' : `Tools reach ${directories.length} directories:`);
    for (const {path, source} of directories) this.log(`  ${path.padEnd(width)}  ${this.style('dim', nameSource(source))}`);
    const pending = await workspace.pending();
    if (pending.length > 0) this.log(`Left out until you add ${pending.length === 1 ? 'it' : 'them'} (gemini directory add <path>):`);
    for (const {path, wantedBy} of pending) this.log(`  ${path}  ${this.style('dim', WANTED[wantedBy])}`);
    return {directories, pending};
  }
}
