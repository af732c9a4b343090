import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {AgentCommand} from '../../agent-command.js';
import {INVOKE} from '../../tool-name.js';

export default class AgentsRun extends AgentCommand {
  static override summary = 'Give an agent something to do.';
  static override description =
    'Runs the agent as a conversation would, and prints its report. Its calls are judged like any; without a ' +
    'terminal those that need approval are refused. With --file, the only argument is the prompt.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> codebase_investigator "Where are sessions written, and when?"',
    '<%= config.bin %> <%= command.id %> reviewer "Review the last commit." --json',
    '<%= config.bin %> <%= command.id %> --file translator.md "Translate locales/de.json."',
  ];
  static override args = {
    name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true}),
    prompt: Args.string({description: 'What it shall do.', ignoreStdin: true}),
  };
  static override flags = {
    file: Flags.string({description: 'Run the agent in this file, which need not be installed.'}),
  };
  static override slash = true;

  async run(): Promise<unknown> {
    const {args, flags} = await this.parse(AgentsRun);
    const [name, prompt] =
      flags.file === undefined ? [args.name, args.prompt] : [(await this.lend(flags.file)).name, args.name];
    if (prompt === undefined || (flags.file !== undefined && args.prompt !== undefined))
      throw new KernelError('AGENT_INVALID', 'Give the name of an agent and one prompt, or --file and one prompt.');
    await this.find(name);
    await this.chooseModel(name);
    const outcome = await this.conversation.call(
      {tool: INVOKE, input: {agent_name: name, prompt}},
      {
        asker: 'person',
        signal: this.host.signal,
        onProgress: ({text}) => this.logToStderr(this.style('dim', text.trimEnd())),
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

  /** A model that the person typed counts before the one of the definition. */
  private async chooseModel(name: string): Promise<void> {
    // In a conversation, the flag is about the conversation.
    if (this.session.live) return;
    const {winner, value} = await (await this.service('settings')).explain('model.name');
    if (winner === 'flag' && typeof value === 'string') await (await this.service('subagents')).choose(name, value);
  }
}
