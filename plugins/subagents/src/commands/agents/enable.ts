import {Args, Flags} from '@oclif/core';
import {SwitchCommand, type Switched} from '../../switch-command.js';

export default class AgentsEnable extends SwitchCommand {
  static override summary = 'Use a disabled agent again.';
  static override examples = ['<%= config.bin %> <%= command.id %> generalist'];
  static override args = {name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Where to write it: your settings, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<Switched> {
    const {args, flags} = await this.parse(AgentsEnable);
    return this.switch(args.name, true, flags.scope);
  }
}
