import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {findInfo} from '../../find-info.js';
import {composeToolName} from '../../offers/tool-name.js';

export default class McpCall extends KernelCommand {
  static override summary = 'Call a tool of an MCP server as the model would.';
  static override description =
    'This is `gemini tools call` with the name of the server and its own name of the tool. Arguments and flags are ' +
    'the same: see `gemini tools call --help`.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> files read_file path=README.md',
    '<%= config.bin %> <%= command.id %> files read_file --args \'{"path": "README.md"}\' --yes --json',
  ];
  static override args = {
    server: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true}),
    tool: Args.string({description: 'Name of the tool, as the server has it.', required: true, ignoreStdin: true}),
  };
  static override strict = false;
  static override slash = true;

  /** The other command prints what there is to print. */
  override jsonEnabled(): boolean {
    return false;
  }

  async run(): Promise<void> {
    // Everything after the two names is for the other command.
    const [server = '', tool = '', ...rest] = this.argv;
    if (server.startsWith('-') || tool === '' || tool.startsWith('-')) {
      await this.parse(McpCall);
      throw new KernelError('MCP_SERVER_INVALID', 'The names of the server and of the tool come first.', {
        hint: 'gemini mcp call <server> <tool> [name=value …]',
      });
    }
    findInfo(await (await this.service('mcp')).list(), server);
    const words = [composeToolName(server, tool), ...rest];
    if (this.host.live) return this.host.slash(['tools', 'call', ...words], this.host.live);
    const {code} = await this.host.run(['tools', 'call', ...words], {show: true});
    this.host.end(code);
  }
}
