import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import type {Root} from '@gemini-kernel/plugin-workspace/contract';
import {nameSource} from '../../source-name.js';

export default class DirectoryShow extends KernelCommand {
  static override summary = 'Show the directories that tools may reach.';
  static override description = 'Lists them in order, with real paths, and says what put each of them there.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{directories: readonly Root[]}> {
    await this.parse(DirectoryShow);
    const workspace = await this.service('workspace');
    const directories = await workspace.roots();
    const width = Math.max(...directories.map(({path}) => path.length));
    this.log(directories.length === 1 ? 'Tools reach 1 directory:' : `Tools reach ${directories.length} directories:`);
    for (const {path, source} of directories) this.log(`  ${path.padEnd(width)}  ${this.style('dim', nameSource(source))}`);
    return {directories};
  }
}
