import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  TERMINAL_MISSING: {when: 'gemini doctor terminal was run without a terminal to ask.', exit: 42},
} as const satisfies ErrorTable;
