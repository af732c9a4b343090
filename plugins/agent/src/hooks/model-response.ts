import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs for each piece of an answer. */
export default defineHook('model:response', {
  kind: 'transform',
  description: 'May change the answer of a model, piece by piece.',
  filters: ['mode'],
  answer: {
    type: 'object',
    required: ['kind'],
    properties: {kind: {enum: ['text', 'thought', 'call', 'usage', 'end', 'failed']}},
  },
});
