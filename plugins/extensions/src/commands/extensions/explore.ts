import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {CatalogFinding} from '@gemini-kernel/plugin-bundles/contract';
import {judgeFound} from '../../installed/judge-found.js';
import {readSourceRules} from '../../installed/judge-extensions.js';

/** A search that takes longer says that it runs. */
const PATIENCE_MS = 1000;

export default class ExtensionsExplore extends KernelCommand {
  static override summary = 'Search for extensions by npm and in catalogs.';
  static override description =
    'Searches the registries of your npm configuration for packages with the keyword gemini-cli-extension, and the ' +
    'catalogs of the setting catalogs.sources. Shows what each extension is, who made it, when, how it was built, ' +
    'what it brings, and whether the rules in force allow it. Nothing is fetched of an extension.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> review',
    '<%= config.bin %> <%= command.id %> --source acme --json',
  ];
  static override strict = false;
  static override usage = 'extensions explore [WORDS...]';
  static override flags = {
    limit: Flags.integer({description: 'The most results to show.', default: 20, min: 1, max: 200}),
    source: Flags.string({description: 'Search only this catalog, or the registry of this host.'}),
  };
  static override slash = true;

  async run(): Promise<CatalogFinding> {
    const {argv, flags} = await this.parse(ExtensionsExplore);
    const catalogs = await this.service('catalogs');
    const {limit, source} = flags;
    const words = argv.map(String);
    const timer = setTimeout(() => this.logToStderr('Searching …'), PATIENCE_MS);
    const found = await catalogs
      .find({kind: 'extension', words, limit, ...(source === undefined ? {} : {source})})
      .finally(() => clearTimeout(timer));
    const rules = await readSourceRules(await this.service('settings'));
    const finding = {...found, entries: found.entries.map((entry) => ({...entry, verdict: judgeFound(entry, rules)}))};
    for (const {fault} of finding.sources) if (fault !== undefined) this.logToStderr(`Warning: ${fault}`);
    for (const line of await catalogs.describe(finding)) this.log(line);
    return finding;
  }
}
