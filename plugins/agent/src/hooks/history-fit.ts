import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before a request, once tool calls are a considerable part of the history. */
export default defineHook('history:fit', {
  kind: 'first',
  description: 'May put shorter tool output into a request; the history keeps the whole.',
  timeoutMs: 10_000,
  filters: ['mode'],
  answer: {
    type: 'object',
    required: ['shorter'],
    properties: {
      shorter: {
        type: 'array',
        items: {
          type: 'object',
          required: ['entry', 'piece'],
          properties: {
            entry: {type: 'string'},
            piece: {type: 'integer', minimum: 0},
            output: {
              type: 'array',
              minItems: 1,
              items: {type: 'object', required: ['text'], properties: {text: {type: 'string'}}},
            },
            input: {type: 'object'},
          },
        },
      },
      compressAt: {type: 'number', minimum: 1},
    },
  },
});
