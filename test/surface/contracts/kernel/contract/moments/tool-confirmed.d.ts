import type { Preview, ToolCall } from '../tool-call.js';
import { type Confirmation } from './tool-confirm.js';
declare module '../registry.js' {
  interface Moments {
    'tool:confirmed': {
      kind: 'transform';
      payload: {
        readonly call: ToolCall;
        readonly preview: Preview | undefined;
        readonly value: Confirmation;
      };
    };
  }
}
export declare const toolConfirmed: import('../hook.js').Hook<import('../hook.js').HookKind>;
