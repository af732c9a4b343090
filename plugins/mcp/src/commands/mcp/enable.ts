import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {switchServer, type Switched} from '../../switch-server.js';

export default class McpEnable extends KernelCommand {
  static override summary = 'Use an MCP server again.';
  static override examples = ['<%= config.bin %> <%= command.id %> github', '/mcp enable github --session'];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override flags = {
    session: Flags.boolean({description: 'Only until this conversation ends.'}),
  };
  static override slash = true;

  async run(): Promise<Switched> {
    const {args, flags} = await this.parse(McpEnable);
    const services = {mcp: await this.service('mcp'), files: await this.service('config-files')};
    const switched = await switchServer(services, {
      name: args.name,
      isOn: true,
      onlySession: flags.session,
      session: this.session,
      home: this.kernel.environment.home,
    });
    this.log(`The MCP server "${args.name}" is enabled${flags.session ? ' for this session' : ''}.`);
    return switched;
  }
}
