import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

export default class McpLogout extends KernelCommand {
  static override summary = 'Forget the login at an MCP server.';
  static override description =
    'The tokens are removed from this machine. The server may accept them until they expire; it has a page where you ' +
    'can revoke them if they were stolen.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly wasLoggedIn: boolean}> {
    const {args} = await this.parse(McpLogout);
    const wasLoggedIn = await (await this.service('mcp')).logout(args.name);
    this.log(wasLoggedIn ? `You are logged out of "${args.name}".` : `There was no login at "${args.name}".`);
    return {name: args.name, wasLoggedIn};
  }
}
