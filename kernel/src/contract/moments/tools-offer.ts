import {defineHook} from '../hook.js';
import type {Effect, ToolAnnotations} from '../tool-call.js';

/** A tool that could be offered. */
export interface OfferedTool {
  readonly name: string;
  readonly effect: Effect;
  readonly annotations: ToolAnnotations;
  readonly server?: string;
}

declare module '../registry.js' {
  interface Moments {
    'tools:offer': {
      kind: 'transform';
      payload: {readonly tools: readonly OfferedTool[]; readonly value: readonly string[]};
    };
  }
}

/** Before tools are offered to a model. A listener answers the names that stay; names it adds do not count. */
export const toolsOffer = defineHook('tools:offer', {
  kind: 'transform',
  description: 'Leaves out tools that a model need not know of.',
  filters: ['mode'],
  answer: {type: 'array', items: {type: 'string'}},
});
