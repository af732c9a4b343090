import {Args} from '@oclif/core';
import {ExtensionCommand} from '../../extension-command.js';
import {findExtension} from '../../find-extension.js';
import {rollBack, type RolledBack} from '../../store/roll-back.js';

export default class ExtensionsRollback extends ExtensionCommand {
  static override summary = 'Use the version of an extension that was installed before.';
  static override description =
    'The store keeps one earlier version of each extension. Its files are checked against the digest that was agreed ' +
    'to. Automatic updates of the extension are switched off.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };

  async run(): Promise<RolledBack> {
    const {args} = await this.parse(ExtensionsRollback);
    const {name} = findExtension(await (await this.service('extensions')).list(), args.name);
    const done = await rollBack(await this.lock(), name, this.host.signal);
    this.log(`${name} ${done.before} is now ${done.version}, from the next start on.`);
    return done;
  }
}
