import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Checked} from '../../check/check-plugin.js';

/** Checks a compiled plugin. */
export default class PluginsCheck extends KernelCommand {
  static override summary = 'Check a compiled plugin before you pack it.';
  static override description =
    'Builds the manifest in memory and reports what to fix: manifests that are older than the code; names, ' +
    'hooks, filters or services that would keep the plugin from loading here; names that can be confused with those ' +
    'of the product; error codes that are missing in src/errors.ts; compiled files without a source; missing texts ' +
    'in the README and descriptions; files that npm pack omits; capabilities that are used but not declared, or ' +
    'declared but not used; what the next kernel would break; and the cost: the time to import it, measured in a ' +
    'separate process, and the size of its archive. In a folder that is not trusted, nothing is imported, and only ' +
    'its files are checked. The exit code is 1 when there is an error, with --strict also when there is a ' +
    'warning.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --json',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    strict: Flags.boolean({description: 'Treat warnings as errors.'}),
    yes: Flags.boolean({description: 'Import its code even if the folder is not trusted.'}),
  };

  async run(): Promise<Checked> {
    const {args, flags} = await this.parse(PluginsCheck);
    const [{checkPlugin}, {lendPackages}] = await Promise.all([
      import('../../check/check-plugin.js'),
      import('../../lend-packages.js'),
    ]);
    const {environment, catalog} = this.kernel;
    const packing = {root: resolve(environment.cwd, args.directory), environment, signal: this.host.signal};
    const mayImport = flags.yes || (await this.#isTrusted(packing.root));
    if (mayImport && environment.interactive)
      this.logToStderr('Importing the plugin three times, and asking npm what it would pack …');
    if (mayImport) await lendPackages(packing.root, catalog);
    const checked = await checkPlugin(packing, catalog, mayImport);
    const isUnfit = checked.findings.some(({level}) => level === 'error' || flags.strict);
    for (const {level, sentence} of checked.findings)
      this.log(`${level === 'error' ? this.style('bad', '✗') : this.style('warn', '!')} ${sentence}`);
    if (isUnfit) this.host.end(1);
    else this.log(`${this.style('good', '✓')} ${checked.name} is ready to be packed.`);
    this.log(this.style('dim', describeReport(checked)));
    return checked;
  }

  /** Importing runs code. Without the trust service, only folders of the product count as trusted. */
  async #isTrusted(root: string): Promise<boolean> {
    if ([...this.kernel.catalog.plugins.values()].some((plugin) => plugin.origin === 'core' && plugin.root === root))
      return true;
    return this.host.catalog.services.has('trust') && (await (await this.service('trust')).explain(root)).trusted;
  }
}

function describeReport({report: {start, packed, capabilities}}: Checked): string {
  const parts = [
    ...(start ? [`importing everything takes ${start.ms} ms`] : []),
    ...(packed ? [`the archive has ${(packed.size / 1000).toFixed(1)} kB in ${packed.files} files`] : []),
    `capabilities: ${capabilities.declared.join(', ') || 'none'}`,
  ];
  return `  ${parts.join('; ')}`;
}
