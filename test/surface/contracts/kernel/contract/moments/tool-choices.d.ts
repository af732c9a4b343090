import type { FormOption } from '../form.js';
import type { ToolCall } from '../tool-call.js';
import type { Confirmation } from './tool-confirm.js';
export interface ApprovalChoice extends FormOption {
  readonly answer: Confirmation;
  readonly keeps?: {
    readonly rules: string;
    readonly scope: 'session' | 'user';
    readonly file?: string;
  };
  readonly unavailable?: string;
}
declare module '../registry.js' {
  interface Moments {
    'tool:choices': {
      kind: 'collect';
      payload: {
        readonly call: ToolCall;
      };
      answer: ApprovalChoice;
    };
  }
}
export declare const toolChoices: import('../hook.js').Hook<import('../hook.js').HookKind>;
