import type { JSONSchema } from '../json-schema.js';
import type { Preview, ToolCall } from '../tool-call.js';
export interface Confirmation {
  readonly decision: 'yes' | 'no';
  readonly reason?: string;
  readonly input?: unknown;
  readonly text?: string;
  readonly remember?: 'session' | 'always';
}
declare module '../registry.js' {
  interface Moments {
    'tool:confirm': {
      kind: 'race';
      payload: {
        readonly call: ToolCall;
        readonly preview: Preview | undefined;
        readonly reason: string;
      };
      answer: Confirmation;
    };
  }
}
export declare const confirmationSchema: JSONSchema;
export declare const toolConfirm: import('../hook.js').Hook<import('../hook.js').HookKind>;
