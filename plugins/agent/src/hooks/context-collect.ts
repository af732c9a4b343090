import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs before each prompt; sections for the system instruction or the first message count before the first. */
export default defineHook('context:collect', {
  kind: 'collect',
  description: 'Provides what the model should know besides the conversation.',
  timeoutMs: 10_000,
  filters: ['mode'],
  answer: {
    type: 'object',
    required: ['place', 'title', 'text'],
    properties: {
      place: {enum: ['system', 'start', 'prompt']},
      title: {type: 'string', minLength: 1},
      text: {type: 'string'},
    },
  },
});
