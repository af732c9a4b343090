import {defineHook} from '../hook.js';
import type {ToolCall} from '../tool-call.js';

declare module '../registry.js' {
  interface Moments {
    'tool:judge': {kind: 'gate'; payload: ToolCall};
  }
}

/** Asked once per call, after its input is valid and before it runs. The strictest answer wins. */
export const toolJudge = defineHook('tool:judge', {
  kind: 'gate',
  description: 'May this call run?',
  timeoutMs: 10_000,
  filters: ['tool', 'effect', 'path', 'mode'],
  unanswered: {decision: 'ask', reason: 'No installed policy covers this call.'},
});
