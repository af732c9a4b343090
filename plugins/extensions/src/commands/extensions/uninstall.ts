import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {ExtensionCommand} from '../../extension-command.js';
import {findExtension} from '../../find-extension.js';
import {Enablement} from '../../installed/enablement.js';
import {SettingValues} from '../../installed/setting-values.js';
import {removeLink} from '../../installed/link-extension.js';
import {withLock} from '../../store/extension-store.js';

export default class ExtensionsUninstall extends ExtensionCommand {
  static override summary = 'Remove an extension.';
  static override description =
    'Removes what this program installed or linked. The values of its settings stay, for a later installation.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override aliases = ['extensions:remove'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };

  async run(): Promise<{readonly name: string; readonly folder: string}> {
    const {args} = await this.parse(ExtensionsUninstall);
    const {name, state, folder, source} = findExtension(await (await this.service('extensions')).list(), args.name);
    if (state === 'unlocked')
      throw new KernelError('EXTENSION_INVALID', `Gemini CLI installed the extension "${name}"; it is in ${folder}.`, {
        hint: `Remove the folder yourself, or disable the extension: \`gemini extensions disable ${name}\`.`,
      });
    if (state === 'bundled')
      throw new KernelError(
        'EXTENSION_INVALID',
        `The extension "${name}" belongs to the ${source.location.replace(':', ' ')}.`,
        {
          hint: '`gemini bundle status` shows the bundle; `gemini bundle remove <name>` removes all of it.',
        },
      );
    const {home} = this.kernel.environment;
    if (state === 'linked') await removeLink(home, name);
    else {
      const lock = await this.lock();
      await withLock({lock, signal: this.host.signal}, async () => {
        const {[name]: _, ...others} = await lock.read();
        await lock.write(others);
        await rm(dirname(folder), {recursive: true, force: true});
      });
    }
    await new SettingValues(this.kernel.environment).forget(name);
    await new Enablement(home, await this.service('config-files')).forget(name);
    this.log(`${name} is removed.`);
    return {name, folder};
  }
}
