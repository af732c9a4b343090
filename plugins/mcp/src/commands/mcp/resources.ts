import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {findInfo} from '../../find-info.js';
import {READ_RESOURCE} from '../../offers/resource-tools.js';
import type {ServerResource} from '../../contract.js';

type Given = {readonly resources: readonly ServerResource[]} | {readonly uri: string; readonly text: string};

export default class McpResources extends KernelCommand {
  static override summary = 'List the resources that MCP servers offer, or read one.';
  static override description =
    'In a prompt, @server:address adds a resource. Addresses with {names} are templates: fill in the names.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> docs --read file:///readme.md',
  ];
  static override args = {server: Args.string({description: 'Only resources of this server.', ignoreStdin: true})};
  static override flags = {read: Flags.string({description: 'Address of a resource to read.'})};
  static override slash = true;

  async run(): Promise<Given> {
    const {args, flags} = await this.parse(McpResources);
    const mcp = await this.service('mcp');
    if (args.server !== undefined) findInfo(await mcp.list(), args.server);
    if (flags.read !== undefined) {
      const text = await this.read(flags.read, args.server);
      this.print(text);
      return {uri: flags.read, text};
    }
    const resources = (await mcp.resources()).filter(({server}) => args.server === undefined || server === args.server);
    for (const {server, uri, name, isTemplate} of resources)
      this.log(`${server}:${uri}  ${this.style('dim', isTemplate ? `${name} (template)` : name)}`);
    if (resources.length === 0) this.log('The MCP servers in use offer no resources.');
    return {resources};
  }

  /** Reads by the path of every call, so that the rules of the person and the administrator count. */
  private async read(uri: string, server: string | undefined): Promise<string> {
    await this.conversation.tools();
    const input = {uri, ...(server === undefined ? {} : {serverName: server})};
    const outcome = await this.conversation.call({tool: READ_RESOURCE, input}, {signal: this.host.signal});
    if (outcome.status === 'done') return outcome.result.plain ?? '';
    if (outcome.status === 'refused') throw new KernelError('MCP_CALL_FAILED', outcome.reason);
    const {code, message, hint} = outcome.error;
    throw new KernelError(code, message, hint === undefined ? {} : {hint});
  }
}
