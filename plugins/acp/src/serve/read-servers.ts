import {KernelError} from '@gemini-kernel/kernel';
import type {SourcedServer} from '@gemini-kernel/plugin-mcp/contract';
import type {McpServer} from '#sdk';

/** The flag of a place that names the MCP servers of the editor. */
export const SERVERS = 'acp.servers';

/** More servers than this are a mistake or an attack. */
const MOST = 64;

/** The servers of an editor as entries of `mcpServers`. Throws KernelError ACP_REQUEST_INVALID. */
export function readServers(servers: readonly McpServer[], editor: string): readonly SourcedServer[] {
  if (servers.length > MOST)
    throw new KernelError('ACP_REQUEST_INVALID', `mcpServers has ${servers.length} servers; at most ${MOST} count.`);
  const seen = new Set<string>();
  return servers.map((server) => {
    const {name} = server;
    if (name.trim() === '' || seen.has(name))
      throw new KernelError(
        'ACP_REQUEST_INVALID',
        `mcpServers has ${seen.has(name) ? 'two servers' : 'a server'} ` + `with the name ${JSON.stringify(name)}.`,
        {hint: 'Give each server a name of its own.'},
      );
    seen.add(name);
    return {name, from: editor, source: `the editor ${editor}`, value: entryOf(server)};
  });
}

function entryOf(server: McpServer): SourcedServer['value'] {
  if ('type' in server) return {url: server.url, type: server.type, headers: pairs(server.headers)};
  return {command: server.command, args: [...server.args], env: pairs(server.env)};
}

function pairs(list: readonly {readonly name: string; readonly value: string}[]): Readonly<Record<string, string>> {
  return Object.fromEntries(list.map(({name, value}) => [name, value]));
}
