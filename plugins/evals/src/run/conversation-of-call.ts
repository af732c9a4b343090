import type {Task} from '../format/eval.js';
import type {StreamEvent} from './read-conversation.js';

interface Printed {
  readonly callId?: string;
  readonly content?: string;
  readonly error?: {readonly code: string; readonly message: string; readonly exit?: number};
}

/**
 * What `gemini tools call --json` printed, as the events of a conversation with one call. Undefined when it printed
 * something else.
 */
export function conversationOfCall(
  {tool, input}: Extract<Task, {kind: 'call'}>,
  stdout: string,
  code: number,
): readonly StreamEvent[] | undefined {
  const printed = parse(stdout);
  if (printed === undefined) return undefined;
  const {callId = 'call', content = '', error} = printed;
  const isRefused = error?.code === 'CALL_REFUSED';
  return [
    {type: 'init', model: ''},
    {type: 'tool_use', tool_name: tool, tool_id: callId, parameters: input},
    {
      ...{type: 'tool_result', tool_id: callId, status: error ? 'error' : 'success', output: error?.message ?? content},
      ...(error ? {error: {type: error.code, message: error.message}} : {}),
    },
    {type: 'message', role: 'assistant', content: error?.message ?? content},
    {
      ...{type: 'result', outcome: error === undefined ? 'done' : isRefused ? 'refused' : 'failed', usage: {}},
      refused: isRefused ? [{tool_name: tool, reason: error.message}] : [],
      ...(error ? {error: {...error, exit: error.exit ?? code}} : {}),
    },
  ];
}

function parse(stdout: string): Printed | undefined {
  try {
    const printed = JSON.parse(stdout) as Printed | null;
    return typeof printed === 'object' && printed !== null ? printed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
