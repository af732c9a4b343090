import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ExtensionInfo} from '../../contract.js';

export default class ExtensionsList extends KernelCommand {
  static override summary = 'List the extensions that are installed, and whether they are used here.';
  static override description =
    'A locked extension was installed by this program, and its files are checked at each start. An unlocked one was ' +
    'installed by Gemini CLI; gemini extensions adopt locks it. A linked one is used where it is developed. Same as ' +
    '--list-extensions.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override flags = {used: Flags.boolean({description: 'Only those that are used here.'})};
  static override aliases = ['--list-extensions'];
  static override slash = true;

  async run(): Promise<{readonly extensions: readonly ExtensionInfo[]}> {
    const {flags} = await this.parse(ExtensionsList);
    const all = await (await this.service('extensions')).list();
    const extensions = flags.used ? all.filter(({unused}) => !unused) : all;
    const width = Math.max(0, ...extensions.map(({name}) => name.length));
    for (const {name, version, state, source, unused} of extensions) {
      const mark = unused ? this.style('dim', '○') : this.style('good', '✓');
      this.log(`${mark} ${name.padEnd(width)}  ${version}  ${this.style('dim', `${state}, ${source.location}`)}`);
      if (unused) this.log(`  ${' '.repeat(width)}  ${unused.sentence}`);
    }
    if (extensions.length === 0)
      this.log('There are no extensions. Install one with `gemini extensions install <source>`.');
    return {extensions};
  }
}
