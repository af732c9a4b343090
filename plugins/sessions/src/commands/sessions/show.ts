import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {AgentSession, StoredSession} from '../../contract.js';
import {toMarkdown} from '../../session-texts.js';

/** Prints one conversation. */
export default class SessionsShow extends KernelCommand {
  static override summary = 'Show the conversation of a session.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 3 --json',
    '<%= config.bin %> <%= command.id %> --agents',
  ];
  static override args = {
    session: Args.string({description: 'Number, id or latest.', default: 'latest', ignoreStdin: true}),
  };
  static override flags = {
    agents: Flags.boolean({description: 'Also show the conversations of the agents that it called.'}),
  };
  static override slash = true;

  async run(): Promise<StoredSession & {readonly agents?: readonly AgentSession[]}> {
    const {args, flags} = await this.parse(SessionsShow);
    const sessions = await this.service('sessions');
    const session = await sessions.open(args.session);
    this.print(toMarkdown(session.entries));
    if (session.notice) this.log(this.style('warn', `\n${session.notice}`));
    if (!flags.agents) return session;
    const agents = await sessions.agents(session.id);
    for (const one of agents) this.printAgent(one);
    if (agents.length === 0) this.log('\nIt called no agents.');
    return {...session, agents};
  }

  private printAgent({agent, id, depth, entries, notice}: AgentSession): void {
    this.log(`\n${this.style('strong', `${'#'.repeat(depth)} AGENT ${agent}`)} ${this.style('dim', id)}\n`);
    this.print(toMarkdown(entries));
    if (notice) this.log(this.style('warn', `\n${notice}`));
  }
}
