import {Args} from '@oclif/core';
import {AgentCommand} from '../../agent-command.js';
import type {AgentLoginState} from '../../contract.js';

export default class AgentsLogin extends AgentCommand {
  static override summary = 'Log in to a remote agent with your browser.';
  static override description =
    'For agents whose file has `auth` with `type: oauth`. The login page opens in your browser, and its address is ' +
    'shown here. If the browser runs on another machine, paste the address that it shows after the login. The tokens ' +
    'are kept encrypted, for you only, and are renewed while they are used.';
  static override examples = ['<%= config.bin %> <%= command.id %> terms', '/agents login terms'];
  static override args = {name: Args.string({description: 'Name of the agent.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<AgentLoginState> {
    const {args} = await this.parse(AgentsLogin);
    const {name} = await this.find(args.name);
    const {conversation} = this;
    const state = await (
      await this.service('subagents')
    ).login(name, {
      signal: this.host.signal,
      ask: (form, signal) =>
        this.jsonEnabled() ? Promise.resolve({outcome: 'nobody'}) : conversation.ask(form, {signal}),
    });
    const until = state.expiresAt === undefined ? '' : this.style('dim', ` (until ${state.expiresAt})`);
    this.log(`You are logged in to the agent "${name}"${until}.`);
    return state;
  }
}
