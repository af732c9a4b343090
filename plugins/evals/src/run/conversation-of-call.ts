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
  const use: StreamEvent = {type: 'tool_use', tool_name: tool, tool_id: callId, parameters: input};
  const said = (output: string): StreamEvent => ({type: 'message', role: 'assistant', content: output});
  const begin = [{type: 'init', model: ''}, use];
  if (error === undefined)
    return [
      ...begin,
      {type: 'tool_result', tool_id: callId, status: 'success', output: content},
      said(content),
      {type: 'result', outcome: 'done', usage: {}, refused: []},
    ];
  const {code: type, message, exit = code} = error;
  const isRefused = type === 'CALL_REFUSED';
  return [
    ...begin,
    {type: 'tool_result', tool_id: callId, status: 'error', output: message, error: {type, message}},
    said(message),
    {
      ...{type: 'result', outcome: isRefused ? 'refused' : 'failed', usage: {}, error: {...error, exit}},
      refused: isRefused ? [{tool_name: tool, reason: message}] : [],
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
