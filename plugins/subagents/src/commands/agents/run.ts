import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {AgentCommand} from '../../agent-command.js';
import {INVOKE} from '../../tool-name.js';

export default class AgentsRun extends AgentCommand {
  static override summary = 'Give an agent something to do.';
  static override description =
    'Runs the agent as a conversation would, and prints its report. Its calls are judged like any; without a ' +
    'terminal those that need approval are refused.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> codebase_investigator "Where are sessions written, and when?"',
    '<%= config.bin %> <%= command.id %> reviewer "Review the last commit." --json',
  ];
  static override args = {
    name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true}),
    prompt: Args.string({description: 'What it shall do.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<unknown> {
    const {args} = await this.parse(AgentsRun);
    await this.find(args.name);
    const outcome = await this.conversation.call(
      {tool: INVOKE, input: {agent_name: args.name, prompt: args.prompt}},
      {
        asker: 'person',
        signal: this.host.signal,
        onProgress: ({text}) => this.logToStderr(this.style('dim', text)),
      },
    );
    if (outcome.status === 'refused') throw new KernelError('AGENT_REFUSED', outcome.reason);
    if (outcome.status === 'failed') {
      const {code, message, hint, cause} = outcome.error;
      throw new KernelError(code, message, {...(hint ? {hint} : {}), cause});
    }
    this.print(outcome.result.plain ?? '');
    return outcome.result.data;
  }
}
