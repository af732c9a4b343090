import {AgentCommand, describeOrigin} from '../../agent-command.js';
import type {AgentFault, AgentInfo} from '../../contract.js';

interface Listed {
  readonly agents: readonly Omit<AgentInfo, 'body'>[];
  readonly faults: readonly AgentFault[];
}

export default class AgentsList extends AgentCommand {
  static override summary = 'List agents, and what prevents others from being used.';
  static override description =
    'Shows the agents that are built in, yours, of this project and of extensions, and each file that does not count ' +
    'with the reason.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Listed> {
    await this.parse(AgentsList);
    const service = await this.service('subagents');
    if (this.session.live) await service.refresh();
    const {agents, faults} = await service.list();
    for (const agent of agents) this.show(agent);
    if (faults.length > 0) this.log(`\n${this.style('warn', 'Not used:')}`);
    for (const {file, reason} of faults) this.log(`  ${file} ${reason}.`);
    return {agents: agents.map(({body: _, ...agent}) => agent), faults};
  }

  private show(agent: AgentInfo): void {
    const state = agent.enabled ? '' : ` ${this.style('dim', '[Disabled]')}`;
    this.log(`${this.style('strong', agent.name)}${state} ${this.style('dim', `(${describeOrigin(agent)})`)}`);
    this.log(`  ${agent.description}`);
    if (agent.file !== undefined) this.log(`  ${agent.file}`);
    for (const warning of agent.warnings) this.log(`  ${this.style('warn', warning)}`);
  }
}
