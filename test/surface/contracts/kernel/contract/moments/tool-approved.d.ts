import type { ToolCall } from '../tool-call.js';
declare module '../registry.js' {
  interface Moments {
    'tool:approved': {
      kind: 'notify';
      payload: {
        readonly call: ToolCall;
        readonly remember: 'session' | 'always';
      };
    };
  }
}
export declare const toolApproved: import('../hook.js').Hook<import('../hook.js').HookKind>;
