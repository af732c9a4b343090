import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import {findExtension} from '../../find-extension.js';
import {Enablement} from '../../installed/enablement.js';

export default class ExtensionsDisable extends KernelCommand {
  static override summary = 'Do not use an extension, but keep it installed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> github --scope workspace',
  ];
  static override args = {
    name: Args.string({description: 'Name of the extension.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      description: 'Everywhere, or in this directory and what is below it.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  /** Whether it enables: `enable` takes the same. */
  protected readonly isOn: boolean = false;

  async run(): Promise<{readonly name: string; readonly scope: string; readonly file: string}> {
    const {args, flags} = await this.parse(ExtensionsDisable);
    const {name, isManaged} = findExtension(await (await this.service('extensions')).list(), args.name);
    if (isManaged && !this.isOn)
      throw new KernelError('EXTENSION_REFUSED', `Your administrator installed the extension "${name}".`, {
        hint: 'Ask the administrator.',
      });
    const {home, cwd} = this.kernel.environment;
    const enablement = new Enablement(home, await this.service('config-files'));
    await enablement.set(name, this.isOn, enablement.directoryOf(flags.scope, cwd));
    const place = flags.scope === 'user' ? '' : ' in this directory';
    this.log(`${name} is ${this.isOn ? 'enabled' : 'disabled'}${place}, from the next start on.`);
    return {name, scope: flags.scope, file: enablement.file};
  }
}
