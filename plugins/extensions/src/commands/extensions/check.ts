import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Brought} from '../../contract.js';
import {checkExtension} from '../../manifest/check-extension.js';
import {describeConsent} from '../../store/describe-consent.js';

interface Checked {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly warnings: readonly string[];
  readonly brings: Brought;
}

export default class ExtensionsCheck extends KernelCommand {
  static override summary = 'Check the folder of an extension, and show what it brings.';
  static override aliases = ['extensions:validate'];
  static override examples = ['<%= config.bin %> <%= command.id %> .'];
  static override args = {
    path: Args.string({description: 'The folder of the extension.', default: '.', ignoreStdin: true}),
  };

  async run(): Promise<Checked> {
    const {args} = await this.parse(ExtensionsCheck);
    const folder = resolve(this.kernel.environment.cwd, args.path);
    const {faults, warnings, manifest, brings} = await checkExtension(folder);
    for (const warning of warnings) this.logToStderr(`Warning: ${warning}`);
    const [first, ...others] = faults;
    if (first !== undefined || !manifest || !brings)
      throw new KernelError('EXTENSION_INVALID', `The extension in ${folder} is invalid: ${first ?? 'no manifest'}.`, {
        ...(others.length > 0 ? {hint: `Also: ${others.join('; ')}.`} : {}),
        data: {faults},
      });
    this.log(`${manifest.name} ${manifest.version} is valid.`);
    for (const line of describeConsent(brings)) this.log(`  ${line}`);
    return {folder, name: manifest.name, version: manifest.version, warnings, brings};
  }
}
