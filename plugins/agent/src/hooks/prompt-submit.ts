import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Before a prompt is dealt with. */
export default defineHook('prompt:submit', {
  kind: 'gate',
  description: 'May refuse a prompt, or add context to it.',
  timeoutMs: 60_000,
  filters: ['mode'],
  unanswered: {decision: 'allow', reason: 'Nobody objects.'},
});
