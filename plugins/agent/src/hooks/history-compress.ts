import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Before the agent has the older part of a conversation summarised. */
export default defineHook('history:compress', {
  kind: 'first',
  description: "A summary of the older part, in the place of the agent's own.",
  timeoutMs: 60_000,
  filters: ['mode'],
  answer: {type: 'object', required: ['summary'], properties: {summary: {type: 'string', minLength: 1}}},
});
