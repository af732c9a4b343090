import {ToolError} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';

/** What a server asks for when it refuses a request. */
export interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
  /** Whether a renewed token cannot be enough. */
  readonly isStepUp: boolean;
}

/** A server wants a login that only a person can give. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded';

  constructor(
    readonly reason: string,
    readonly challenge: Challenge = {isStepUp: false},
  ) {
    super(reason);
  }
}

/** The login that an error, or what caused it, asks for. */
export function findLoginNeeded(error: unknown): LoginNeeded | undefined {
  let one = error;
  for (let depth = 0; isTable(one) && depth < 5; depth += 1) {
    if (one instanceof LoginNeeded) return one;
    one = one['cause'];
  }
  return undefined;
}

export function loginNeeded(name: string, {reason}: LoginNeeded): ToolError {
  return new ToolError('MCP_LOGIN_NEEDED', `The MCP server "${name}" asks for a login: ${reason}.`, {
    hint: `Run \`gemini mcp login ${name}\`.`,
  });
}
