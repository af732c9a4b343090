import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {switchHook, type Switched} from '../../switch-hook.js';

export default class HooksEnable extends KernelCommand {
  static override summary = 'Run a hook again.';
  static override examples = ['<%= config.bin %> <%= command.id %> guard', '<%= config.bin %> <%= command.id %> --all'];
  static override args = {hook: Args.string({description: 'Name, command or id of the hook.', ignoreStdin: true})};
  static override flags = {
    all: Flags.boolean({description: 'All hooks but those of an administrator.'}),
    scope: Flags.option({
      char: 's',
      description: 'Settings file to write.',
      options: ['user', 'project'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<Switched> {
    const {args, flags} = await this.parse(HooksEnable);
    const services = {hooks: await this.service('hooks'), settings: await this.service('settings')};
    const switched = await switchHook(services, {hook: args.hook, isAll: flags.all, isOn: true, scope: flags.scope});
    this.log(
      `${switched.hook === undefined ? 'Hooks are' : `The hook "${switched.hook}" is`} enabled in ${switched.file}.`,
    );
    return switched;
  }
}
