import type { Effect, ToolAnnotations } from '../tool-call.js';
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
      payload: {
        readonly tools: readonly OfferedTool[];
        readonly value: readonly string[];
      };
    };
  }
}
export declare const toolsOffer: import('../hook.js').Hook<import('../hook.js').HookKind>;
