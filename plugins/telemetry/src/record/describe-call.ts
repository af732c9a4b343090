import {extname} from 'node:path';
import type {EndedCall} from '@gemini-kernel/kernel';
import type {Attributes} from './records.js';

const OPERATIONS: Readonly<Record<string, string>> = {read: 'read', edit: 'update', delete: 'delete', move: 'move'};

/** How it was decided that a call runs, in the words of Gemini CLI. */
export function decisionOf({status, spans, call}: EndedCall): 'accept' | 'auto_accept' | 'modify' | 'reject' {
  if (status === 'refused') return 'reject';
  const answer = spans.find(({hook, answer: given}) => hook === 'tool:confirm' && given !== undefined)?.answer as
    {readonly input?: unknown; readonly text?: unknown} | undefined;
  if (answer) return answer.input === undefined && answer.text === undefined ? 'accept' : 'modify';
  return call?.asker === 'person' ? 'accept' : 'auto_accept';
}

/** What tells a call from another one. Nothing of its input. */
export function describeCall(ended: EndedCall): Attributes {
  const {tool, call, status} = ended;
  const server = call?.server;
  return {
    function_name: tool,
    success: status === 'done',
    decision: decisionOf(ended),
    tool_type: server === undefined ? 'native' : 'mcp',
    ...(server === undefined ? {} : {mcp_server_name: server}),
  };
}

/** The operation on the file that a call is about; undefined when it is about none, or did not happen. */
export function describeFile({
  status,
  call,
}: EndedCall): {readonly operation: string; readonly extension: string | undefined} | undefined {
  const subject = call?.touches.find(({isSubject, kind}) => isSubject && kind === 'path');
  const operation = OPERATIONS[call?.effect ?? ''];
  if (status !== 'done' || !subject || operation === undefined) return undefined;
  return {operation, extension: extname(subject.value) || undefined};
}
