import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {ServerCheck, ServerInfo} from '../../contract.js';

type Listed = ServerInfo & {readonly check?: ServerCheck};

export default class McpList extends KernelCommand {
  static override summary = 'List the configured MCP servers.';
  static override description =
    'The list comes from the configuration and from what is remembered of each server. With --check, all servers in ' +
    'use are connected at the same time to see whether they work.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --check',
    '<%= config.bin %> <%= command.id %> git --json',
  ];
  static override args = {
    filter: Args.string({description: 'Only servers whose name contains this.', ignoreStdin: true}),
  };
  static override flags = {check: Flags.boolean({description: 'Connect to the servers and show whether they work.'})};
  static override slash = true;

  async run(): Promise<{readonly servers: readonly Listed[]}> {
    const {args, flags} = await this.parse(McpList);
    const mcp = await this.service('mcp');
    const wanted = (args.filter ?? '').toLowerCase();
    const found = (await mcp.list()).filter(({name}) => name.toLowerCase().includes(wanted));
    if (flags.check && found.length > 0 && !this.jsonEnabled())
      this.logToStderr(`Connecting to ${found.length === 1 ? 'one server' : `${found.length} servers`} …`);
    const servers = await Promise.all(
      found.map(async (server): Promise<Listed> => {
        return flags.check && !server.leftOut ? {...server, check: await mcp.check(server.name)} : server;
      }),
    );
    const width = Math.max(0, ...servers.map(({name}) => name.length));
    for (const server of servers) this.show(server, width);
    if (servers.length === 0)
      this.log(
        wanted === ''
          ? 'No MCP servers are configured. Add one with `gemini mcp add <name> <command or address>`.'
          : `No configured MCP server has a name with "${wanted}" in it.`,
      );
    return {servers};
  }

  private show(server: Listed, width: number): void {
    const {name, target, leftOut, check} = server;
    const [style, mark] = markOf(server);
    this.log(
      `${this.style(style, mark)} ${name.padEnd(width)}  ${target}${this.style('dim', `  ${describe(server)}`)}`,
    );
    const failed = check?.steps.find(({ok}) => !ok);
    const detail = leftOut?.sentence ?? failed?.detail;
    if (detail !== undefined) this.log(`  ${' '.repeat(width)}  ${detail}`);
  }
}

/** Whether it works, as far as that is known. */
function markOf({leftOut, check}: Listed): readonly ['dim' | 'bad' | 'good', string] {
  if (leftOut) return ['dim', '○'];
  if (!check) return ['dim', '·'];
  return check.ok ? ['good', '✓'] : ['bad', '✗'];
}

function describe({leftOut, check, remembered, transport, isTrusted}: Listed): string {
  const state = leftOut
    ? 'not used'
    : check
      ? check.ok
        ? `connected, ${count(check.tools.length)}`
        : 'failed'
      : remembered
        ? count(remembered.tools)
        : 'not connected yet';
  return [`(${transport}`, state, ...(isTrusted ? ['trusted'] : [])].join(', ') + ')';
}

function count(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`;
}
