import {KernelCommand} from '@gemini-kernel/command';

export default class MemoryReload extends KernelCommand {
  static override summary = 'Read the context files again; in a conversation, the next prompt includes them.';
  static override examples = ['/memory reload'];
  static override aliases = ['/memory:refresh'];
  static override slash = true;

  async run(): Promise<{readonly files: readonly string[]}> {
    await this.parse(MemoryReload);
    const files = await (await this.service('memory')).reload();
    const note = this.session.live ? '' : ' Every conversation also reads them when it starts.';
    this.log(`Read ${files.length} context ${files.length === 1 ? 'file' : 'files'}.${note}`);
    return {files: files.map(({path}) => path)};
  }
}
