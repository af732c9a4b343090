import type { ToolCall } from '../tool-call.js';
import type { Span } from '../span.js';
export interface EndedCall {
  readonly id: string;
  readonly tool: string;
  readonly began: number;
  readonly ms: number;
  readonly status: 'done' | 'failed' | 'refused' | 'aborted';
  readonly given: unknown;
  readonly call?: ToolCall;
  readonly reason?: string;
  readonly by?: string;
  readonly spans: readonly Span[];
}
declare module '../registry.js' {
  interface Moments {
    'tool:end': {
      kind: 'notify';
      payload: EndedCall;
    };
  }
}
export declare const toolEnd: import('../hook.js').Hook<import('../hook.js').HookKind>;
