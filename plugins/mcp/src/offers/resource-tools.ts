import {markForeign, ToolError, type SourcedTool, type ToolResult} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';
import type {CallWatch, Mcp, ServerResource} from '../contract.js';

const LIST = 'list_mcp_resources';
export const READ_RESOURCE = 'read_mcp_resource';
/** More lines than this are left out of one answer; a filter finds them. */
const MOST = 500;

const tools: readonly SourcedTool[] = [
  {
    name: LIST,
    description: 'Lists resources that MCP servers offer. Those with {names} are templates: fill in the names.',
    effect: 'read',
    annotations: {readOnlyHint: true},
    input: {
      type: 'object',
      properties: {
        serverName: {type: 'string', description: 'Only resources of this server.'},
        filter: {type: 'string', description: 'Only resources with this text in their address, name or description.'},
      },
    },
  },
  {
    name: READ_RESOURCE,
    description: 'Reads a resource of an MCP server.',
    effect: 'other',
    annotations: {readOnlyHint: true},
    input: {
      type: 'object',
      required: ['uri'],
      properties: {
        uri: {type: 'string', description: 'Its address, as listed, or made from a template.'},
        serverName: {type: 'string', description: 'The server, where several list the address.'},
      },
    },
  },
];

/** The tools for resources, while a server in use has some. */
export function resourceTools(resources: readonly ServerResource[]): readonly SourcedTool[] {
  return resources.length === 0 ? [] : tools;
}

/** Runs one of them; undefined when the name is that of another tool. */
export function runResourceTool(
  mcp: Mcp,
  tool: string,
  input: unknown,
  watch: CallWatch,
): Promise<ToolResult> | undefined {
  if (tool !== LIST && tool !== READ_RESOURCE) return undefined;
  const {serverName, uri, filter} = isTable(input) ? input : {};
  const server = typeof serverName === 'string' && serverName !== '' ? {server: serverName} : {};
  if (tool === LIST) return list(mcp, server.server, typeof filter === 'string' ? filter : '');
  return read(mcp, {...server, uri: String(uri)}, watch);
}

async function list(mcp: Mcp, server: string | undefined, filter: string): Promise<ToolResult> {
  const wanted = filter.toLowerCase();
  const all = await mcp.resources();
  const found = all.filter(
    (one) =>
      (server === undefined || one.server === server) &&
      `${one.uri} ${one.name} ${one.description ?? ''}`.toLowerCase().includes(wanted),
  );
  const lines = found.slice(0, MOST).map(showLine);
  const rest = found.length > MOST ? [`(${found.length - MOST} more; use filter)`] : [];
  return {
    model: found.length === 0 ? 'No resources.' : markForeign([...lines, ...rest].join('\n')),
    display: found.length === 1 ? '1 resource' : `${found.length} resources`,
  };
}

function showLine({server, uri, name, description, mimeType, isTemplate}: ServerResource): string {
  const about = [name, description, mimeType, isTemplate ? 'template' : undefined].filter((one) => one !== undefined);
  return `- ${server}:${uri} | ${about.join(' | ')}`.replaceAll(/[\r\n]+/g, ' ');
}

/** Takes `<server>:<uri>` too, as lists show it. */
async function read(
  mcp: Mcp,
  {server, uri}: {readonly server?: string; readonly uri: string},
  watch: CallWatch,
): Promise<ToolResult> {
  const listed = await mcp.resources();
  const holders = [...new Set(listed.filter((one) => one.uri === uri).map((one) => one.server))];
  const [found, second] = server === undefined ? holders : [server];
  if (found !== undefined && second === undefined) return mcp.resource({server: found, uri}, watch);
  if (second !== undefined)
    throw new ToolError('MCP_CALL_FAILED', `Several MCP servers list the resource ${uri}.`, {
      hint: `Give serverName: ${holders.join(', ')}.`,
    });
  const owner = listed.find((one) => uri.startsWith(`${one.server}:`))?.server;
  if (owner !== undefined) return mcp.resource({server: owner, uri: uri.slice(owner.length + 1)}, watch);
  const servers = [...new Set(listed.map((one) => one.server))];
  // A template is not listed under the address that was made from it.
  if (servers.length === 1) return mcp.resource({server: servers[0] ?? '', uri}, watch);
  throw new ToolError('MCP_CALL_FAILED', `No MCP server lists the resource ${uri}.`, {
    hint: `Give serverName: ${servers.join(', ')}.`,
  });
}
