import type {FormOption} from '../form.js';
import {defineHook} from '../hook.js';
import type {ToolCall} from '../tool-call.js';
import type {Confirmation} from './tool-confirm.js';

/** One answer to the question whether a call may run, and what it keeps. */
export interface ApprovalChoice extends FormOption {
  readonly answer: Confirmation;
  /** The exact rules that it keeps, for how long, and the file that they are written to. */
  readonly keeps?: {readonly rules: string; readonly scope: 'session' | 'user'; readonly file?: string};
  /** Why it is not offered. */
  readonly unavailable?: string;
}

declare module '../registry.js' {
  interface Moments {
    'tool:choices': {kind: 'collect'; payload: {readonly call: ToolCall}; answer: ApprovalChoice};
  }
}

/** Before a person is asked about a call: which answers would keep something, besides yes and no for this once. */
export const toolChoices = defineHook('tool:choices', {
  kind: 'collect',
  description: 'Lists the answers to an approval that keep a rule.',
  reserved: true,
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: {type: 'object', required: ['value', 'label', 'answer']},
});
