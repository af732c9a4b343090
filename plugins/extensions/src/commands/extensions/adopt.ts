import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionInfo, ExtensionSetting} from '../../contract.js';
import {ExtensionCommand} from '../../extension-command.js';
import {findExtension} from '../../find-extension.js';
import {SettingValues} from '../../installed/setting-values.js';
import type {Installed} from '../../store/install-extension.js';

export default class ExtensionsAdopt extends ExtensionCommand {
  static override summary = 'Lock an extension that Gemini CLI installed.';
  static override description =
    'Copies it as it is now with the values of its settings, and checks the copy at each start. What Gemini CLI ' +
    'installed stays where it is.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };
  static override flags = {consent: Flags.boolean({description: 'Agree to what it brings without a question.'})};

  async run(): Promise<Installed> {
    const {args, flags} = await this.parse(ExtensionsAdopt);
    const found = findExtension(await (await this.service('extensions')).list(), args.name);
    const {name, state, folder, brings} = found;
    if (state !== 'unlocked')
      throw new KernelError('EXTENSION_EXISTS', `The extension "${name}" is ${state}; there is nothing to adopt.`);
    const installed = await this.install({type: 'folder', location: folder}, {isAgreed: flags.consent, name});
    await this.#takeValues(found, brings?.settings ?? []);
    this.tellInstalled(installed);
    return installed;
  }

  /** The values that were given to Gemini CLI: the copy of its files has none. */
  async #takeValues(found: ExtensionInfo, settings: readonly ExtensionSetting[]): Promise<void> {
    const kept = new SettingValues(this.kernel.environment);
    const {values, fault} = await kept.read(found, settings);
    for (const setting of settings) {
      const value = values[setting.envVar];
      if (value !== undefined) await kept.set(found.name, setting, value);
    }
    if (fault !== undefined && settings.some(({envVar}) => values[envVar] === undefined))
      this.logToStderr(
        `What Gemini CLI keeps of it cannot be read: ${fault}. Give the values with ` +
          `\`gemini extensions config ${found.name}\`.`,
      );
  }
}
