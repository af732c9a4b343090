import {messageOf} from '@gemini-kernel/kernel';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {FoundEditor, IdeReason} from '../contract.js';
import {faultOf} from '../faults.js';
import type {ConnectionFault} from './connection.js';

type Mcp = typeof import('../mcp/client.js');

/** How far a connection came before it failed. */
export interface FaultPlace {
  readonly editor: FoundEditor;
  readonly stage: 'connect' | 'list';
}

/** A reason, with details for the person. */
type Finding = readonly [reason: IdeReason, detail?: string];

/** Why the connection to a companion failed, as one of our reasons. */
export function describeFault(mcp: Mcp, error: unknown, place: FaultPlace): ConnectionFault['fault'] {
  const {endpoint, info, file} = place.editor;
  const [reason, detail] = findReason(mcp, error, place);
  return faultOf(reason, {
    editor: info.displayName,
    ...(file ? {file} : {}),
    ...(endpoint.kind === 'http' ? {port: endpoint.port} : {command: endpoint.command}),
    ...(detail === undefined ? {} : {detail}),
  });
}

/** The system's error code is the most exact; then the HTTP status, the message, and whether it took too long. */
function findReason(mcp: Mcp, error: unknown, {stage}: FaultPlace): Finding {
  const words = makeVisible(messageOf(error)).replace(/\.$/, '').slice(0, 200);
  const bySystem = reasonOfCode(systemCode(error), words);
  if (bySystem) return bySystem;
  const status = error instanceof mcp.StreamableHTTPError ? error.code : undefined;
  if (status === 401 || status === 403) return ['token-rejected'];
  // The SDK has no code of its own for this.
  if (/protocol version/i.test(words)) return ['version-skew', words];
  if (status === 404 || status === 405) return ['version-skew', `it has no MCP server at /mcp (${status})`];
  if (status !== undefined && status > 0) return ['no-answer', `it answered ${status}`];
  if (isTimeout(mcp, error)) return stage === 'list' ? ['no-answer', 'it did not list its tools'] : ['no-answer'];
  return ['no-answer', `the answer is not in the protocol (${words})`];
}

function reasonOfCode(code: string | undefined, words: string): Finding | undefined {
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return ['port-refused'];
  if (code === 'ENOENT' || code === 'EACCES') return ['port-refused', words];
  return undefined;
}

function isTimeout(mcp: Mcp, error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return (
    name === 'TimeoutError' ||
    name === 'AbortError' ||
    (error instanceof mcp.McpError && error.code === Number(mcp.ErrorCode.RequestTimeout)) ||
    systemCode(error) === 'ECONNRESET'
  );
}

function systemCode(error: unknown): string | undefined {
  const {code} = (error ?? {}) as {readonly code?: unknown};
  return typeof code === 'string' ? code : undefined;
}
