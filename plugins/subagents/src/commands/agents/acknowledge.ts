import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {AgentCommand} from '../../agent-command.js';

export default class AgentsAcknowledge extends AgentCommand {
  static override summary = 'Agree to agents of this project as their files are now.';
  static override description =
    'The model reads the description of an agent, and the agent follows its file. One that is new or has changed is ' +
    'not used until you agree to it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> translator',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override args = {name: Args.string({description: 'Name of the agent.', ignoreStdin: true})};
  static override flags = {all: Flags.boolean({description: 'All that wait.'})};
  static override slash = true;

  async run(): Promise<{readonly acknowledged: readonly string[]}> {
    const {args, flags} = await this.parse(AgentsAcknowledge);
    if ((args.name === undefined) === !flags.all)
      throw new KernelError('AGENT_UNKNOWN', 'Name one agent, or pass --all.', {
        hint: '`gemini agents list` shows which ones wait.',
      });
    const acknowledged = await (
      await this.service('subagents')
    ).acknowledge(args.name === undefined ? [] : [args.name]);
    this.log(
      acknowledged.length === 0 ? 'No agent waits for you.' : `From now on in use here: ${acknowledged.join(', ')}.`,
    );
    return {acknowledged};
  }
}
