import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before a request to a model. */
export default defineHook('model:request', {
  kind: 'transform',
  description: 'May change a request, or answer it instead of a model.',
  filters: ['mode'],
  answer: {
    type: 'object',
    required: ['model', 'request'],
    properties: {
      model: {type: 'string', minLength: 1},
      request: {type: 'object', required: ['model', 'system', 'messages', 'tools', 'config']},
      answer: {type: 'array', items: {type: 'object', required: ['kind']}},
    },
  },
});
