import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Once, before the first prompt. */
export default defineHook('history:load', {
  kind: 'first',
  description: 'The history of a conversation that goes on.',
  timeoutMs: 30_000,
  answer: {
    type: 'object',
    required: ['entries'],
    properties: {
      entries: {type: 'array', items: {type: 'object', required: ['id', 'kind', 'message']}},
      notice: {type: 'string'},
    },
  },
});
