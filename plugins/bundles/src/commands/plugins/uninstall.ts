import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';

export default class PluginsUninstall extends InstallCommand {
  static override summary = 'Uninstall plugins, or unlink linked ones.';
  static override description =
    'They stop loading at once. Their files are kept for `gemini plugins rollback` during the next ten ' +
    'changes. Plugins that an administrator requires stay.';
  static override examples = ['<%= config.bin %> <%= command.id %> @acme/plugin-hello'];
  static override aliases = ['plugins:unlink', 'plugins:remove'];
  static override strict = false;
  static override usage = 'plugins uninstall PLUGIN...';
  static override flags = {
    project: Flags.boolean({description: 'Use the lock of this project.', default: false}),
    system: Flags.boolean({
      description: 'Use the lock of this machine, as its administrator.',
      default: false,
    }),
    verbose: Flags.boolean({char: 'v', description: 'Show progress, even without a terminal.', default: false}),
  };

  async run(): Promise<{readonly removed: readonly {readonly name: string; readonly version: string}[]}> {
    const {argv, flags} = await this.parse(PluginsUninstall);
    const [{installerOfCommand}, {removePlugins}, {mirrorForOclif}, {findNamed}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/remove-plugins.js'),
      import('../../install/report/mirror-for-oclif.js'),
      import('../../install/source/find-named.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      flags,
    );
    const removed = await removePlugins(installer, await findNamed(installer, argv as string[]));
    if (installer.scope === 'user') await mirrorForOclif(installer, this.config.dataDir);
    const told = Object.entries(removed).map(([name, {version}]) => ({name, version}));
    for (const {name, version} of told) this.log(`Uninstalled ${name} ${version}.`);
    return {removed: told};
  }
}
