import type { ToolCall } from '../tool-call.js';
import type { ApprovalChoice } from './tool-choices.js';
declare module '../registry.js' {
  interface Moments {
    'tool:approved': {
      kind: 'notify';
      payload: {
        readonly call: ToolCall;
        readonly remember: 'session' | 'always';
        readonly choice: ApprovalChoice;
      };
    };
  }
}
export declare const toolApproved: import('../hook.js').Hook<import('../hook.js').HookKind>;
