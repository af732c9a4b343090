import type {StreamEvent} from '@gemini-kernel/plugin-agent/contract';

/** An event as the SDK of Gemini CLI names it. Thoughts are not among them. */
export type ServerEvent =
  | {readonly type: 'model_info'; readonly value: string}
  | {readonly type: 'content'; readonly value: string}
  | {
      readonly type: 'tool_call_request';
      readonly value: {
        readonly callId: string;
        readonly name: string;
        readonly args: unknown;
        readonly isClientInitiated: false;
        readonly prompt_id: string;
      };
    }
  | {
      readonly type: 'tool_call_response';
      readonly value: {readonly callId: string; readonly resultDisplay: string; readonly error?: Error};
    }
  | {readonly type: 'error'; readonly value: {readonly error: {readonly message: string; readonly status?: number}}}
  | {readonly type: 'user_cancelled'}
  | {readonly type: 'max_session_turns'}
  | {readonly type: 'loop_detected'}
  | {
      readonly type: 'finished';
      readonly value: {readonly reason: 'STOP'; readonly usageMetadata: Readonly<Record<string, number>>};
    };

/** The event that stands for one of `stream-json`; undefined for what has no counterpart. */
export function toServerEvent(event: StreamEvent, session: string): ServerEvent | undefined {
  switch (event.type) {
    case 'init':
      return {type: 'model_info', value: event.model};
    case 'message':
      return event.role === 'assistant' ? {type: 'content', value: event.content} : undefined;
    case 'tool_use': {
      const {tool_id: callId, tool_name: name, parameters: args} = event;
      return {type: 'tool_call_request', value: {callId, name, args, isClientInitiated: false, prompt_id: session}};
    }
    case 'tool_result': {
      const {tool_id: callId, output: resultDisplay, error} = event;
      const failed = error ? {error: new Error(error.message)} : {};
      return {type: 'tool_call_response', value: {callId, resultDisplay, ...failed}};
    }
    case 'result':
      return toEnd(event);
    default:
      return undefined;
  }
}

function toEnd({outcome, error, usage}: Extract<StreamEvent, {type: 'result'}>): ServerEvent {
  if (outcome === 'interrupted') return {type: 'user_cancelled'};
  if (outcome === 'limit') return {type: 'max_session_turns'};
  if (outcome === 'loop') return {type: 'loop_detected'};
  if (error) {
    const {message, status} = error;
    return {type: 'error', value: {error: {message, ...(status === undefined ? {} : {status})}}};
  }
  return {
    type: 'finished',
    value: {
      reason: 'STOP',
      usageMetadata: {
        promptTokenCount: usage?.input_tokens ?? 0,
        candidatesTokenCount: usage?.output_tokens ?? 0,
        totalTokenCount: usage?.total_tokens ?? 0,
      },
    },
  };
}
