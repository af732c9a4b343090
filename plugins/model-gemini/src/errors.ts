import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  GROUNDING_FAILED: {when: 'A search with Google through a model of Gemini failed.'},
} as const satisfies ErrorTable;
