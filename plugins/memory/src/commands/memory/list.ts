import {KernelCommand} from '@gemini-kernel/command';
import type {ContextFile} from '../../contract.js';
import {tokensOf} from '../../facts/check.js';

export default class MemoryList extends KernelCommand {
  static override summary = 'List the context files (GEMINI.md and others) that a model gets here.';
  static override description =
    'Context files of folders are added when work reaches them, so a conversation may list more.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly files: readonly Omit<ContextFile, 'text'>[]}> {
    await this.parse(MemoryList);
    const files = await (await this.service('memory')).files();
    if (files.length === 0)
      this.log('There are no context files here. To tell a model about this project, write a file named GEMINI.md.');
    for (const {tier, path, text, imports, faults} of files) {
      const more = [`~${tokensOf(text)} tokens`, ...(imports.length > 0 ? [`imports ${imports.length}`] : [])];
      this.log(`${tier.padEnd(8)} ${path}${this.style('dim', ` (${more.join(', ')})`)}`);
      for (const fault of faults) this.log(`         ${this.style('warn', fault)}`);
    }
    await this.sayUntrusted();
    return {files: files.map(({text: _, ...file}) => file)};
  }

  private async sayUntrusted(): Promise<void> {
    const trust = await this.service('trust');
    if (!(await trust.may('context-files')))
      this.log(
        this.style(
          'warn',
          `${(await trust.state()).folder} is not a trusted folder, so its context files are ignored.`,
        ),
      );
  }
}
