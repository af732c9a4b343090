import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before a prompt is processed. */
export default defineHook('prompt:submit', {
  kind: 'gate',
  description: 'May refuse a prompt, or add context to it.',
  timeoutMs: 60_000,
  filters: ['mode'],
  unanswered: {decision: 'allow', reason: 'No listener objects.'},
});
