import {Args} from '@oclif/core';
import {revealHidden} from '@gemini-kernel/command/visible';
import {AgentCommand, describeOrigin} from '../../agent-command.js';
import type {AgentInfo} from '../../contract.js';
import {isCommand} from '../../definition/read-auth.js';
import {describeLimits} from '../../describe-limits.js';

export default class AgentsShow extends AgentCommand {
  static override summary = 'Show an agent: its tools, its limits and its instruction.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> codebase_investigator',
    '<%= config.bin %> <%= command.id %> reviewer --json',
  ];
  static override args = {name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<AgentInfo & {readonly waits?: true}> {
    const {args} = await this.parse(AgentsShow);
    const waiting = await (await this.service('subagents')).waiting();
    const waits = waiting.find(({name}) => name === args.name.trim());
    const agent = waits ?? (await this.find(args.name));
    this.log(`${this.style('strong', agent.name)} (${describeOrigin(agent)})${agent.enabled ? '' : ', disabled'}`);
    if (waits) this.log(this.style('warn', `Not used until you agree to it: gemini agents acknowledge ${agent.name}`));
    // A person decides by what they read here: nothing in it hides.
    this.log(revealHidden(agent.description, false));
    if (agent.file !== undefined) this.log(`File: ${agent.file}`);
    this.log(`Tools: ${agent.tools ? agent.tools.join(', ') : 'all of the conversation but invoke_agent'}`);
    if (agent.remote)
      this.log(`Remote: ${agent.remote.url ?? 'by the card in its file'}${describeLogin(agent.remote)}`);
    if (agent.servers) this.log(`MCP servers of its own: ${Object.keys(agent.servers).join(', ')}`);
    this.log(`Model: ${agent.model}, temperature ${agent.temperature}`);
    this.log(`Limits: ${describeLimits(agent)}`);
    for (const warning of agent.warnings) this.log(this.style('warn', warning));
    this.log(`\n${revealHidden(agent.body, false)}`);
    return {...agent, ...(waits ? {waits: true} : {})};
  }
}

/** How the agent knows the person: a command is shown as it is written. */
function describeLogin({auth, login}: NonNullable<AgentInfo['remote']>): string {
  if (login) return login.kind === 'oauth' ? ', login by OAuth' : ', with credentials of Google';
  const command = [auth?.value ?? '', ...(auth?.basic ?? [])].find((text) => isCommand(text));
  if (command !== undefined) return `, login by the output of ${JSON.stringify(command.slice(1))}`;
  return auth ? `, login in the header ${auth.header}` : '';
}
