import { type ToolCall, type ToolResult } from '../tool-call.js';
declare module '../registry.js' {
  interface Moments {
    'tool:run': {
      kind: 'wrap';
      payload: ToolCall;
      answer: ToolResult;
    };
  }
}
export declare const toolRun: import('../hook.js').Hook<import('../hook.js').HookKind>;
