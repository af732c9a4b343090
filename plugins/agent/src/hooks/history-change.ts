import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs after every change; the agent continues when each listener is done. */
export default defineHook('history:change', {
  kind: 'notify',
  description: 'The history of a conversation has changed.',
  timeoutMs: 30_000,
});
