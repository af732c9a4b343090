import {Args} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {VerifiedPlugin} from '../../install/report/verify-plugins.js';

export default class PluginsVerify extends InstallCommand {
  static override summary = 'Hash every file of the installed plugins, and check who signed them.';
  static override description =
    'Earlier results are ignored. Exits with 1 when something differs from its lock, or is not allowed here.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello --json',
  ];
  static override args = {plugin: Args.string({description: 'Verify only this plugin.', ignoreStdin: true})};

  async run(): Promise<{readonly ok: boolean; readonly plugins: readonly VerifiedPlugin[]}> {
    const {args} = await this.parse(PluginsVerify);
    const [{installerOfCommand}, {verifyPlugins}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/report/verify-plugins.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {},
    );
    const plugins = await verifyPlugins(installer, args.plugin);
    const ok = plugins.every(({faults}) => faults.length === 0);
    if (plugins.length === 0) this.log('No plugins are installed.');
    for (const {name, version, faults} of plugins) {
      this.log(
        `${faults.length === 0 ? this.style('good', 'as locked') : this.style('bad', 'NOT as locked')}  ${name} ` +
          `${version}`,
      );
      for (const fault of faults) this.log(`  ${fault}`);
    }
    if (!ok) this.host.end(1);
    return {ok, plugins};
  }
}
