import type { ToolCall } from '../tool-call.js';
declare module '../registry.js' {
  interface Moments {
    'tool:judge': {
      kind: 'gate';
      payload: ToolCall;
    };
  }
}
export declare const toolJudge: import('../hook.js').Hook<import('../hook.js').HookKind>;
