import {Args, Flags} from '@oclif/core';
import type {} from '@gemini-kernel/plugin-doctor/contract';
import {InstallCommand} from '../../install-command.js';
import type {AuditedPlugin} from '../../install/report/audit-plugins.js';
import type {UseSources} from '../../install/report/audit-uses.js';
import type {CycloneDx} from '../../install/report/to-cyclonedx.js';

const MOST_CALLS = 10_000;

export default class PluginsAudit extends InstallCommand {
  static override summary = 'Show for each plugin where it is from, who agreed to it, what it may do, and what it did.';
  static override description = [
    'Compares what a plugin used and was refused with what it declares. Of a plugin in a process of its own, gemini ' +
      'sees the services, tools and hosts; the files, programs and variables are what its process says, which a ' +
      'hostile plugin can leave out (the system refuses them all the same). Of any other, only what its tools say ' +
      'that they touch is known, in the newest calls.',
    'Uses no network. With --format cyclonedx, prints a list of components for other tools.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
    '<%= config.bin %> <%= command.id %> --json',
    '<%= config.bin %> <%= command.id %> --format cyclonedx',
  ];
  static override args = {
    plugin: Args.string({description: 'Plugin to show; all by default.', ignoreStdin: true}),
  };
  static override flags = {
    format: Flags.string({description: 'Format of the output.', options: ['text', 'cyclonedx'], default: 'text'}),
  };

  async run(): Promise<{readonly plugins: readonly AuditedPlugin[]} | CycloneDx> {
    const {args, flags} = await this.parse(PluginsAudit);
    const [{installerOfCommand}, {auditPlugins}, {auditLines}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/report/audit-plugins.js'),
      import('../../install/report/audit-lines.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {},
    );
    const plugins = await auditPlugins(installer, await this.#sources(), args.plugin);
    if (flags.format === 'cyclonedx') {
      const {toCycloneDx} = await import('../../install/report/to-cyclonedx.js');
      const components = toCycloneDx(plugins, {version: this.config.version, now: installer.now()});
      this.print(JSON.stringify(components, null, 2));
      return components;
    }
    for (const line of auditLines(plugins, installer.now())) this.log(line);
    return {plugins};
  }

  async #sources(): Promise<UseSources> {
    const isolation = await this.isolation();
    const hasJournal = this.host.catalog.services.has('journal');
    return {
      tier: (plugin) => this.tierOf(plugin),
      record: async (plugin) => (await isolation?.records(plugin))?.[0],
      calls: hasJournal ? await (await this.service('journal')).recent(MOST_CALLS) : [],
    };
  }
}
