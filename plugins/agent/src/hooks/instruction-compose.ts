import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before a request of the main agent. */
export default defineHook('instruction:compose', {
  kind: 'transform',
  description: 'May change the sections of the instruction of the main agent.',
  filters: ['mode'],
  answer: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'text'],
      properties: {name: {type: 'string', minLength: 1}, text: {type: 'string'}},
    },
  },
});
