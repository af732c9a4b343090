import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {ExtensionCommand} from '../../extension-command.js';
import {findExtension} from '../../find-extension.js';
import type {Installed} from '../../store/install-extension.js';

export default class ExtensionsAdopt extends ExtensionCommand {
  static override summary = 'Lock an extension that Gemini CLI installed.';
  static override description =
    'Copies it as it is now, and checks the copy at each start. What Gemini CLI installed stays where it is.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };
  static override flags = {consent: Flags.boolean({description: 'Agree to what it brings without a question.'})};

  async run(): Promise<Installed> {
    const {args, flags} = await this.parse(ExtensionsAdopt);
    const {name, state, folder} = findExtension(await (await this.service('extensions')).list(), args.name);
    if (state !== 'unlocked')
      throw new KernelError('EXTENSION_EXISTS', `The extension "${name}" is ${state}; there is nothing to adopt.`);
    const installed = await this.install({type: 'folder', location: folder}, {isAgreed: flags.consent, name});
    this.tellInstalled(installed);
    return installed;
  }
}
