import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {switchHook, type Switched} from '../../switch-hook.js';

export default class HooksDisable extends KernelCommand {
  static override summary = 'Do not run a hook, but keep its configuration.';
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

  /** Whether it enables: `enable` takes the same. */
  protected readonly isOn: boolean = false;

  async run(): Promise<Switched> {
    const {args, flags} = await this.parse(HooksDisable);
    const {isOn} = this;
    const services = {hooks: await this.service('hooks'), settings: await this.service('settings')};
    const switched = await switchHook(services, {hook: args.hook, isAll: flags.all, isOn, scope: flags.scope});
    const subject = switched.hook === undefined ? 'Hooks are' : `The hook "${switched.hook}" is`;
    this.log(`${subject} ${isOn ? 'enabled' : 'disabled'} in ${switched.file}.`);
    return switched;
  }
}
