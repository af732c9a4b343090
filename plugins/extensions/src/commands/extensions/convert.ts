import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Converted} from '../../convert/convert-extension.js';

export default class ExtensionsConvert extends KernelCommand {
  static override summary = 'Write a plugin with the same effect as an extension.';
  static override description =
    'Copies the files of the extension into a plugin whose services bring its context, servers, commands, hooks, ' +
    'skills, rules and settings. Names what a plugin cannot do as the extension does. The extension stays as it is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-extension',
    '<%= config.bin %> <%= command.id %> ./my-extension --output ./plugins/my-extension --force',
  ];
  static override args = {
    path: Args.string({description: 'The folder of the extension.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    output: Flags.string({description: 'The folder of the plugin; beside the extension unless given.'}),
    force: Flags.boolean({description: 'Replace an earlier conversion of the same extension.', default: false}),
  };

  async run(): Promise<Converted> {
    const {args, flags} = await this.parse(ExtensionsConvert);
    const {convertExtension} = await import('../../convert/convert-extension.js');
    const {cwd} = this.kernel.environment;
    const converted = await convertExtension({
      from: resolve(cwd, args.path),
      to: flags.output === undefined ? undefined : resolve(cwd, flags.output),
      force: flags.force,
    });
    const {name, version, folder, left} = converted;
    const place = relative(cwd, folder);
    this.log(`Wrote ${name} ${version} to ${place}.`);
    for (const {what, reason} of left) this.log(`  Not as before: ${what}. ${reason}`);
    this.log(`Next: gemini plugins build ${place} && gemini plugins check ${place}`);
    return converted;
  }
}
