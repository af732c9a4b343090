import {defineHook} from '../hook.js';
import type {Preview, ToolCall} from '../tool-call.js';
import {confirmationSchema, type Confirmation} from './tool-confirm.js';

declare module '../registry.js' {
  interface Moments {
    'tool:confirmed': {
      kind: 'transform';
      payload: {readonly call: ToolCall; readonly preview: Preview | undefined; readonly value: Confirmation};
    };
  }
}

/** A person has answered. Who showed the same elsewhere may complete the answer with what was edited there. */
export const toolConfirmed = defineHook('tool:confirmed', {
  kind: 'transform',
  description: "Completes a person's answer before it counts.",
  reserved: true,
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: confirmationSchema,
});
