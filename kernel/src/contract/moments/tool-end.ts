import {defineHook} from '../hook.js';
import type {ToolCall} from '../tool-call.js';
import type {Span} from '../span.js';

/** All there is to know of a call that is over, but its result. */
export interface EndedCall {
  readonly id: string;
  readonly tool: string;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  readonly ms: number;
  readonly status: 'done' | 'failed' | 'refused' | 'aborted';
  /** The input as it was given; what became of it is in `call`. */
  readonly given: unknown;
  /** As it was last judged; absent when it did not come so far. */
  readonly call?: ToolCall;
  /** Why it was refused or failed. */
  readonly reason?: string;
  /** The plugin that refused it. */
  readonly by?: string;
  /** Who was asked, in order. */
  readonly spans: readonly Span[];
}

declare module '../registry.js' {
  interface Moments {
    'tool:end': {kind: 'notify'; payload: EndedCall};
  }
}

/** After every call, however it ended. */
export const toolEnd = defineHook('tool:end', {
  kind: 'notify',
  description: 'A call is over.',
  filters: ['tool', 'effect', 'path', 'mode'],
});
