import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {AuditedPlugin} from '../../install/report/audit-plugins.js';
import type {CycloneDx} from '../../install/report/to-cyclonedx.js';

export default class PluginsAudit extends InstallCommand {
  static override summary =
    'Show for each plugin and dependency where it is from, who agreed to it and what it may do.';
  static override description =
    'Uses no network. With --format cyclonedx, prints a list of components for other tools.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
    '<%= config.bin %> <%= command.id %> --format cyclonedx',
  ];
  static override flags = {
    format: Flags.string({description: 'Format of the output.', options: ['text', 'cyclonedx'], default: 'text'}),
  };

  async run(): Promise<{readonly plugins: readonly AuditedPlugin[]} | CycloneDx> {
    const {flags} = await this.parse(PluginsAudit);
    const [{installerOfCommand}, {auditPlugins}, {auditLines}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/report/audit-plugins.js'),
      import('../../install/report/audit-lines.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {},
    );
    const plugins = await auditPlugins(installer);
    if (flags.format === 'cyclonedx') {
      const {toCycloneDx} = await import('../../install/report/to-cyclonedx.js');
      const components = toCycloneDx(plugins, {version: this.config.version, now: installer.now()});
      this.print(JSON.stringify(components, null, 2));
      return components;
    }
    for (const line of auditLines(plugins, installer.now())) this.log(line);
    return {plugins};
  }
}
