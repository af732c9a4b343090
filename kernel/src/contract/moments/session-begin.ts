import {defineHook} from '../hook.js';

/** How a session starts out. */
export interface SessionStart {
  /** A new one, or that of a continued session. */
  readonly id: string;
  /** What may run without a question: default, auto_edit, plan, yolo, or a mode that a plugin adds. */
  readonly mode: string;
  /** Whether it may only begin if every guard of `tool:judge` refuses its probe. */
  readonly requireGuards: boolean;
  /** The session that opened this one. The mode may not allow more than the parent's. */
  readonly parent?: {readonly id: string; readonly mode: string};
}

declare module '../registry.js' {
  interface Moments {
    'session:begin': {kind: 'transform'; payload: {readonly value: SessionStart}};
  }
}

/**
 * Before a session's first call. A critical listener that throws a KernelError keeps it from beginning, with that
 * error.
 */
export const sessionBegin = defineHook('session:begin', {
  kind: 'transform',
  description: 'Settles how a session starts out, or keeps it from beginning.',
  reserved: true,
  // One that waits for another process may take long; the others state their own limit.
  timeoutMs: 0,
  answer: {
    type: 'object',
    required: ['id', 'mode', 'requireGuards'],
    properties: {
      id: {type: 'string', minLength: 1},
      mode: {type: 'string', minLength: 1},
      requireGuards: {type: 'boolean'},
    },
  },
});
