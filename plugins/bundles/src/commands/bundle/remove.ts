import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';

export default class BundleRemove extends InstallCommand {
  static override summary = 'Remove an applied bundle and everything it brought.';
  static override description =
    'Its plugins, policies and settings no longer count. Its serial stays remembered, so that an older ' +
    'release cannot be applied later.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp',
    'sudo <%= config.bin %> <%= command.id %> corp --system',
  ];
  static override args = {name: Args.string({description: 'Name of the bundle.', required: true, ignoreStdin: true})};
  static override flags = {
    system: Flags.boolean({description: 'Remove the one that is applied for all users.', default: false}),
  };

  async run(): Promise<{readonly removed: string}> {
    const {args, flags} = await this.parse(BundleRemove);
    const environment = await this.surroundings();
    const [{openScope}, {removeBundle}, {openBundleInstaller}] = await Promise.all([
      import('../../bundle/bundle-scope.js'),
      import('../../bundle/remove-bundle.js'),
      import('../../bundle/bundle-installer.js'),
    ]);
    const scope = await openScope(environment, flags.system ? 'system' : 'user');
    const installer = await openBundleInstaller(
      {environment, host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {scope: scope.name},
    );
    await removeBundle(scope, installer, args.name);
    this.log(`Removed the bundle ${args.name}. Its serial stays remembered.`);
    return {removed: args.name};
  }
}
