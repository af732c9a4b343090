import {readHeadTable} from '@gemini-kernel/files';
import type {AgentServers} from '../contract.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Names of Gemini CLI, as settings have them. */
const NAMES: Readonly<Record<string, string>> = {
  http_url: 'httpUrl',
  include_tools: 'includeTools',
  exclude_tools: 'excludeTools',
};

/** The MCP servers of a definition, as entries of `mcpServers`; or what is wrong, as a sentence without its subject. */
export function readAgentServers(text: string): AgentServers | string | undefined {
  const table = readHeadTable(text, 'mcp_servers');
  return table === undefined || typeof table === 'string' ? table : toServers(table);
}

/** The same of a table of settings. */
export function toServers(table: Readonly<Record<string, unknown>>): AgentServers | string {
  const servers: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const [name, value] of Object.entries(table)) {
    if (!NAME.test(name))
      return `names an MCP server ${JSON.stringify(name.slice(0, 70))}: use letters, digits, _, . and -`;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `has the MCP server ${name}, which is not a table`;
    servers[name] = Object.fromEntries(Object.entries(value).map(([key, one]) => [NAMES[key] ?? key, one as unknown]));
  }
  return servers;
}
