import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before the agent summarises the older part of a conversation. */
export default defineHook('history:compress', {
  kind: 'first',
  description: "Provides a summary of the older part instead of the agent's own, or an addition to it.",
  timeoutMs: 60_000,
  filters: ['mode'],
  answer: {
    type: 'object',
    properties: {summary: {type: 'string', minLength: 1}, addition: {type: 'string', minLength: 1}},
  },
});
