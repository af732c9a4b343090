import {defineHook} from '../hook.js';
import type {ToolCall} from '../tool-call.js';

declare module '../registry.js' {
  interface Moments {
    'tool:input': {kind: 'transform'; payload: {readonly call: ToolCall; readonly value: unknown}};
  }
}

/** May change a valid input before anything is judged; the result is validated again. */
export const toolInput = defineHook('tool:input', {
  kind: 'transform',
  description: 'Changes the input of a call before it is judged.',
  filters: ['tool', 'effect', 'mode'],
});
