import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {ExtensionCommand} from '../../extension-command.js';
import {linkExtension} from '../../installed/link-extension.js';

export default class ExtensionsLink extends ExtensionCommand {
  static override summary = 'Use an extension where it is developed.';
  static override description =
    'Changes in the folder count at the next start. Nothing is copied, and nothing checked.';
  static override examples = ['<%= config.bin %> <%= command.id %> .'];
  static override args = {
    path: Args.string({description: 'The folder of the extension.', required: true, ignoreStdin: true}),
  };
  // Scripts for Gemini CLI give it.
  static override flags = {consent: Flags.boolean({description: 'Accepted; linking asks nothing.', hidden: true})};

  async run(): Promise<{readonly name: string; readonly version: string; readonly folder: string}> {
    const {args} = await this.parse(ExtensionsLink);
    const {home, cwd} = this.kernel.environment;
    const taken = (await (await this.service('extensions')).list()).map(({name, folder}) => ({name, folder}));
    const linked = await linkExtension({home, folder: resolve(cwd, args.path), taken});
    this.log(`${linked.name} ${linked.version} is used from ${linked.folder}.`);
    return linked;
  }
}
