import {defineHook} from '../hook.js';
import {resultSchema, type ToolCall, type ToolResult} from '../tool-call.js';

declare module '../registry.js' {
  interface Moments {
    'tool:result': {kind: 'transform'; payload: {readonly call: ToolCall; readonly value: ToolResult}};
  }
}

/** May change what a finished call gives back: redaction, notes, truncation. */
export const toolResult = defineHook('tool:result', {
  kind: 'transform',
  description: 'Changes the result of a call before anyone sees it.',
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: resultSchema,
});
