import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

export default class McpLogs extends KernelCommand {
  static override summary = 'Show what an MCP server printed in its last run.';
  static override description =
    'A log holds the standard error of the server, its log messages, and what it printed on standard output that is ' +
    'not part of the protocol.';
  static override examples = ['<%= config.bin %> <%= command.id %> github'];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly log: string}> {
    const {args} = await this.parse(McpLogs);
    const log = await (await this.service('mcp')).log(args.name);
    if (log === '') this.logToStderr(`The MCP server "${args.name}" has printed nothing.`);
    else this.print(log);
    return {name: args.name, log};
  }
}
