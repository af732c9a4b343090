import type { Question } from '../call.js';
import type { JSONSchema } from '../json-schema.js';
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
      payload: Question;
      answer: Confirmation;
    };
  }
}
export declare const confirmationSchema: JSONSchema;
export declare const toolConfirm: import('../hook.js').Hook<import('../hook.js').HookKind>;
