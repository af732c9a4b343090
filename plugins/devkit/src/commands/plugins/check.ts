import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {Checked} from '../../check/check-plugin.js';

/** Looks a compiled plugin over. */
export default class PluginsCheck extends KernelCommand {
  static override summary = 'Look a compiled plugin over before it is packed.';
  static override description =
    'Builds the manifest in memory and says what is to be mended: manifests that are older than the code, names, ' +
    'hooks, filters or services that would leave the plugin out here, names that can be taken for those of the ' +
    'product, error codes that are thrown but not listed, compiled files without a source, what no README or ' +
    'description says, files that npm pack leaves out, capabilities that are used but not declared or the other ' +
    'way round, what the next kernel would break, and what it costs: the time to import it, measured in a process ' +
    'of its own, and the size of its archive. In a folder that is not trusted nothing of it is imported, and only ' +
    'what is written is looked at. The exit code is 1 when there is an error, with --strict also when there is a ' +
    'warning.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --json',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    strict: Flags.boolean({description: 'Let warnings count as errors.'}),
    yes: Flags.boolean({description: 'Import its code although the folder is not trusted.'}),
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
      this.logToStderr('Importing it three times, and asking npm what it would pack …');
    if (mayImport) await lendPackages(packing.root, catalog);
    const checked = await checkPlugin(packing, catalog, mayImport);
    const isUnfit = checked.findings.some(({level}) => level === 'error' || flags.strict);
    for (const {level, sentence} of checked.findings)
      this.log(`${level === 'error' ? this.style('bad', '✗') : this.style('warn', '!')} ${sentence}`);
    if (isUnfit) this.host.end(1);
    else this.log(`${this.style('good', '✓')} ${checked.name} is fit to be packed.`);
    this.log(this.style('dim', describeReport(checked)));
    return checked;
  }

  /** Importing is running. Where nobody can say what is trusted, nothing is but what came with the product. */
  async #isTrusted(root: string): Promise<boolean> {
    if ([...this.kernel.catalog.plugins.values()].some((plugin) => plugin.origin === 'core' && plugin.root === root))
      return true;
    return this.host.catalog.services.has('trust') && (await (await this.service('trust')).explain(root)).trusted;
  }
}

function describeReport({report: {start, packed, capabilities}}: Checked): string {
  const parts = [
    ...(start ? [`importing all of it takes ${start.ms} ms`] : []),
    ...(packed ? [`packed it has ${(packed.size / 1000).toFixed(1)} kB in ${packed.files} files`] : []),
    `capabilities: ${capabilities.declared.join(', ') || 'none'}`,
  ];
  return `  ${parts.join('; ')}`;
}
