import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs once, before the first prompt. */
export default defineHook('history:load', {
  kind: 'first',
  description: 'Provides the history of a continued conversation.',
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
