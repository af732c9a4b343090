import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import type {Checked} from '../../check-plugin.js';

export default class PluginsCheck extends KernelCommand {
  static override summary = 'Look a compiled plugin over before it is packed.';
  static override description =
    'Builds the manifest in memory and says what is to be mended: manifests that are older than the code, names, hooks, filters or services that would leave the plugin out here, error codes that are thrown but not listed, compiled files without a source, parameters without a description, files that npm pack leaves out. The exit code is 1 when there is something.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> ../my-plugin --json'];
  static override args = {directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true})};

  async run(): Promise<Checked> {
    const {args} = await this.parse(PluginsCheck);
    const {checkPlugin} = await import('../../check-plugin.js');
    const {environment, catalog} = this.kernel;
    const checked = await checkPlugin(resolve(environment.cwd, args.directory), [...catalog.plugins.values()]);
    for (const finding of checked.findings) this.log(`${this.style('bad', '✗')} ${finding}`);
    if (checked.findings.length === 0) this.log(`${this.style('good', '✓')} ${checked.name} is fit to be packed.`);
    else this.host.end(1);
    return checked;
  }
}
