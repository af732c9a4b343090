import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {LoginState} from '../../contract.js';

export default class McpLogin extends KernelCommand {
  static override summary = 'Log in to an MCP server with your browser.';
  static override description =
    'The login page opens in your browser, and its address is shown here. If the browser runs on another machine, ' +
    'paste the address that it shows after the login. The tokens are kept encrypted, for you only, and are renewed ' +
    'while they are used.';
  static override examples = ['<%= config.bin %> <%= command.id %> github', '/mcp login github'];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<LoginState> {
    const {args} = await this.parse(McpLogin);
    const mcp = await this.service('mcp');
    const {conversation} = this;
    const state = await mcp.login(args.name, {
      signal: this.host.signal,
      ask: (form, signal) =>
        this.jsonEnabled() ? Promise.resolve({outcome: 'nobody'}) : conversation.ask(form, {signal}),
    });
    const until = state.expiresAt === undefined ? '' : this.style('dim', ` (until ${state.expiresAt})`);
    this.log(`You are logged in to "${args.name}"${until}.`);
    return state;
  }
}
