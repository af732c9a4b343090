import type {Environment} from '@gemini-kernel/kernel';
import type {IdeEndpoint} from '../contract.js';
import {variables as names} from '../protocol.js';
import {asPort, asToken} from './parse-discovery.js';

/** The companion that the variables of this terminal name; undefined when they name none. */
export function endpointOfVariables(variables: Environment['variables']): IdeEndpoint | undefined {
  const token = tokenOfVariables(variables);
  const port = portOfVariables(variables);
  if (port !== undefined) return {kind: 'http', port, ...(token ? {token} : {})};
  const command = variables[names.stdioCommand];
  return command ? {kind: 'stdio', command, args: parseArgs(variables[names.stdioArgs])} : undefined;
}

/** The port of the editor that opened this terminal, from its variable. */
export function portOfVariables(variables: Environment['variables']): number | undefined {
  return asPort(variables[names.port]);
}

/** The token from the editor of this terminal; undefined when it cannot be sent. */
export function tokenOfVariables(variables: Environment['variables']): string | undefined {
  return asToken(variables[names.authToken]);
}

function parseArgs(text: string | undefined): readonly string[] {
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    // Not a list: the command starts without arguments.
    return [];
  }
}
