import {distanceBetween, KernelError} from '@gemini-kernel/kernel';
import type {ServerInfo} from './contract.js';

/** The server of a name. Throws KernelError MCP_SERVER_UNKNOWN with the nearest name. */
export function findInfo(servers: readonly ServerInfo[], name: string): ServerInfo {
  const found = servers.find((one) => one.name === name);
  if (found) return found;
  const [nearest] = servers
    .map((one) => ({name: one.name, distance: distanceBetween(name, one.name)}))
    .filter(({distance}) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance);
  throw new KernelError('MCP_SERVER_UNKNOWN', `There is no MCP server "${name}".`, {
    hint: nearest ? `Did you mean ${nearest.name}?` : 'List the servers with `gemini mcp list`.',
  });
}
