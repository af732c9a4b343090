import {defineHook} from '../hook.js';
import {resultSchema, type ToolCall, type ToolResult} from '../tool-call.js';

declare module '../registry.js' {
  interface Moments {
    'tool:run': {kind: 'wrap'; payload: ToolCall; answer: ToolResult};
  }
}

/** Around the run of a call that may run: checkpoints, sandboxes, timers. */
export const toolRun = defineHook('tool:run', {
  kind: 'wrap',
  description: 'Acts before and after a call runs, or instead of it.',
  filters: ['tool', 'effect', 'path', 'mode'],
  answer: resultSchema,
});
