import {Args} from '@oclif/core';
import {ExtensionCommand} from '../../extension-command.js';
import {rollBack, type RolledBack} from '../../store/roll-back.js';

export default class ExtensionsRollback extends ExtensionCommand {
  static override summary = 'Return to the version of an extension before its last update.';
  static override description =
    "The files of that version were kept; they are checked, and the administrator's rules too, before anything " +
    'changes. A second rollback returns to the newer version. Automatic updates of the extension are switched off.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };

  async run(): Promise<RolledBack> {
    const {args} = await this.parse(ExtensionsRollback);
    const rolledBack = await rollBack(args.name, await this.installing());
    this.log(`${rolledBack.name} ${rolledBack.before} is now ${rolledBack.version}.`);
    return rolledBack;
  }
}
