import {Args, Flags} from '@oclif/core';
import {AgentCommand} from '../../agent-command.js';
import {switchAgent, type Switched} from '../../switch-agent.js';

export default class AgentsEnable extends AgentCommand {
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
    const {name} = await this.find(args.name);
    const settings = await this.service('settings');
    const switched = await switchAgent(settings, {name, enabled: true, scope: flags.scope});
    await this.refresh();
    this.log(`The agent "${name}" is enabled in ${switched.file}.`);
    return switched;
  }
}
