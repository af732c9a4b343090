import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {CatalogFinding} from '../../catalog/catalogs.js';

export default class PluginsSearch extends InstallCommand {
  static override summary = 'Search for plugins by npm and in catalogs.';
  static override description =
    'Searches the registries of your npm configuration for packages with the keyword gemini-plugin, ' +
    'and the catalogs of the setting catalogs.sources. Shows what each plugin is, who made it, when, how it was ' +
    "built, what it may do, and whether the administrator's rules allow it. Nothing is fetched of a plugin.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> audit',
    '<%= config.bin %> <%= command.id %> @acme audit',
    '<%= config.bin %> <%= command.id %> --source acme --limit 50',
    '<%= config.bin %> <%= command.id %> audit --json',
  ];
  static override strict = false;
  static override usage = 'plugins search [WORDS...]';
  static override flags = {
    limit: Flags.integer({description: 'The most results to show.', default: 20, min: 1, max: 200}),
    source: Flags.string({description: 'Search only this catalog, or the registry of this host.'}),
  };
  static override slash = true;

  async run(): Promise<CatalogFinding> {
    const {argv, flags} = await this.parse(PluginsSearch);
    const {sayWhenSlow} = await import('../../install/say-when-slow.js');
    const {limit, source} = flags;
    const words = argv.map(String);
    const catalogs = await this.service('catalogs');
    const tell = (text: string): void => this.logToStderr(text);
    const finding = await sayWhenSlow(tell, 'Searching …', () =>
      catalogs.find({kind: 'plugin', words, limit, ...(source === undefined ? {} : {source})}),
    );
    for (const {fault} of finding.sources) if (fault !== undefined) this.logToStderr(`Warning: ${fault}`);
    for (const line of await catalogs.describe(finding)) this.log(line);
    return finding;
  }
}
