import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs when a prompt begins, and before a summary is asked for. */
export default defineHook('compression:prepare', {
  kind: 'transform',
  description: 'May change when a conversation is compressed, and the instruction for the summary.',
  filters: ['mode'],
  answer: {
    type: 'object',
    properties: {
      threshold: {type: 'number', minimum: 0, maximum: 1},
      instruction: {type: 'string', minLength: 1},
    },
  },
});
