import {defineHook} from '../hook.js';
import type {Preview, ToolCall} from '../tool.js';

/** A person's answer. `input` replaces the call's input when the person edited it; the call is then checked again. */
export interface Confirmation {
  readonly decision: 'yes' | 'no';
  readonly reason?: string;
  readonly input?: unknown;
  /** The same may run without a question from now on: until the session ends, or for good. */
  readonly remember?: 'session' | 'always';
}

declare module '../hook.js' {
  interface Moments {
    'tool:confirm': {
      kind: 'first';
      payload: {readonly call: ToolCall; readonly preview: Preview | undefined; readonly reason: string};
      answer: Confirmation;
    };
  }
}

/** Asked when the judges say `ask`. Nobody to answer means no. */
export const toolConfirm = defineHook('tool:confirm', {
  kind: 'first',
  description: 'Asks a person whether a call may run.',
  timeoutMs: 0,
  reserved: true,
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: {
    type: 'object',
    required: ['decision'],
    properties: {decision: {enum: ['yes', 'no']}, reason: {type: 'string'}, input: {}, remember: {enum: ['session', 'always']}},
  },
  unanswered: {decision: 'no', reason: 'Nobody is here to confirm it.'},
});
