import {Args} from '@oclif/core';
import {AgentCommand} from '../../agent-command.js';

export default class AgentsLogout extends AgentCommand {
  static override summary = 'Forget the login at a remote agent.';
  static override description =
    'The tokens are removed from this machine. The server may accept them until they expire; it has a page where you ' +
    'can revoke them if they were stolen.';
  static override examples = ['<%= config.bin %> <%= command.id %> terms'];
  static override args = {name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly wasLoggedIn: boolean}> {
    const {args} = await this.parse(AgentsLogout);
    const {name} = await this.find(args.name);
    const wasLoggedIn = await (await this.service('subagents')).logout(name);
    this.log(wasLoggedIn ? `You are logged out of the agent "${name}".` : `There was no login at the agent "${name}".`);
    return {name, wasLoggedIn};
  }
}
