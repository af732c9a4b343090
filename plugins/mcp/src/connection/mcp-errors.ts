import {messageOf, ToolError} from '@gemini-kernel/kernel';

/** A server cannot be started or reached; `reason` ends a sentence. */
export function unavailable(name: string, reason: string, cause?: unknown): ToolError {
  return new ToolError('MCP_SERVER_UNAVAILABLE', `The MCP server "${name}" is not available: ${reason}.`, {
    hint: `Run \`gemini mcp test ${name}\` to see where it fails, and \`gemini mcp logs ${name}\` for its output.`,
    cause,
  });
}

/** Where a connection failed; the cause of MCP_SERVER_UNAVAILABLE. */
export class ConnectFault extends Error {
  constructor(readonly step: 'program' | 'address' | 'start' | 'handshake') {
    super(`The connection failed: ${step}.`);
  }
}

/** The message of an error, without its full stop. */
export function reasonOf(error: unknown): string {
  return messageOf(error).trim().replace(/\.$/, '') || 'it gave no reason';
}
