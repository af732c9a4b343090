import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** After every change; the agent goes on when each listener is done. */
export default defineHook('history:change', {
  kind: 'notify',
  description: 'The history of a conversation has changed.',
  timeoutMs: 30_000,
});
