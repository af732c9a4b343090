import type {Question} from '../call.js';
import {defineHook} from '../hook.js';
import type {JSONSchema} from '../json-schema.js';

/** A person's answer. When the person edited something, the call is checked and judged again. */
export interface Confirmation {
  readonly decision: 'yes' | 'no';
  readonly reason?: string;
  /** Replaces the call's input. */
  readonly input?: unknown;
  /** What the person made of the text that a preview of kind diff shows as `after`. */
  readonly text?: string;
  /** The same may run without a question from now on: until the session ends, or for good. */
  readonly remember?: 'session' | 'always';
}

declare module '../registry.js' {
  interface Moments {
    'tool:confirm': {kind: 'race'; payload: Question; answer: Confirmation};
  }
}

/** The schema of a confirmation. */
export const confirmationSchema: JSONSchema = {
  type: 'object',
  required: ['decision'],
  properties: {
    decision: {enum: ['yes', 'no']},
    reason: {type: 'string'},
    input: {},
    text: {type: 'string'},
    remember: {enum: ['session', 'always']},
  },
};

/**
 * Asked when the judges answer `ask`, all listeners at once: the first answer counts, and the signals of the others
 * abort. Without an answer, the call is refused.
 */
export const toolConfirm = defineHook('tool:confirm', {
  kind: 'race',
  description: 'Asks a person whether a call may run.',
  timeoutMs: 0,
  reserved: true,
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: confirmationSchema,
  unanswered: {decision: 'no', reason: 'There is no person to approve it.'},
});
