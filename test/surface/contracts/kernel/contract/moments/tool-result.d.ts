import { type ToolCall, type ToolResult } from '../tool-call.js';
declare module '../registry.js' {
  interface Moments {
    'tool:result': {
      kind: 'transform';
      payload: {
        readonly call: ToolCall;
        readonly value: ToolResult;
      };
    };
  }
}
export declare const toolResult: import('../hook.js').Hook<import('../hook.js').HookKind>;
