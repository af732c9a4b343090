import type { ToolCall } from '../tool-call.js';
declare module '../registry.js' {
  interface Moments {
    'tool:input': {
      kind: 'transform';
      payload: {
        readonly call: ToolCall;
        readonly value: unknown;
      };
    };
  }
}
export declare const toolInput: import('../hook.js').Hook<import('../hook.js').HookKind>;
