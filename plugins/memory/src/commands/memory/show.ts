import {KernelCommand} from '@gemini-kernel/command';
import {toBlocks} from '../../context-files.js';
import type {ContextFile, Tier} from '../../contract.js';

const TITLES: readonly (readonly [Tier, string])[] = [
  ['global', 'Global'],
  ['private', 'Private Project Memory'],
  ['project', 'Project'],
  ['folder', 'Folders'],
];

export default class MemoryShow extends KernelCommand {
  static override summary = 'Show the text of the context files that a model gets here, imports included.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly files: readonly ContextFile[]}> {
    await this.parse(MemoryShow);
    const files = await (await this.service('memory')).files();
    if (files.length === 0) this.log('There are no context files here.');
    for (const [tier, title] of TITLES) {
      const text = toBlocks(files.filter((file) => file.tier === tier));
      if (text !== '') this.log(`--- ${title} ---\n${text}\n`);
    }
    return {files};
  }
}
