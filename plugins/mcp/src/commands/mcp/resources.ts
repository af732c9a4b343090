import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
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
    const from = args.server === undefined ? {} : {server: args.server};
    if (flags.read !== undefined) {
      const watch = {session: this.session.id, signal: this.host.signal, progress: () => undefined};
      const {plain = ''} = await mcp.resource({...from, uri: flags.read}, watch);
      this.print(plain);
      return {uri: flags.read, text: plain};
    }
    const resources = (await mcp.resources()).filter(({server}) => args.server === undefined || server === args.server);
    for (const {server, uri, name, isTemplate} of resources)
      this.log(`${server}:${uri}  ${this.style('dim', isTemplate ? `${name} (template)` : name)}`);
    if (resources.length === 0) this.log('The MCP servers in use offer no resources.');
    return {resources};
  }
}
