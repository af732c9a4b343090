import {KernelCommand} from '@gemini-kernel/command';

export default class MemoryReload extends KernelCommand {
  static override summary = 'Read the context files anew; in a conversation, the next prompt carries them.';
  static override examples = ['/memory reload'];
  static override aliases = ['/memory:refresh'];
  static override slash = true;

  async run(): Promise<{readonly files: readonly string[]}> {
    await this.parse(MemoryReload);
    const files = await (await this.service('memory')).reload();
    const note = this.session.live ? '' : ' Every conversation does so when it starts.';
    this.log(`Read ${files.length} context ${files.length === 1 ? 'file' : 'files'}.${note}`);
    return {files: files.map(({path}) => path)};
  }
}
