import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  EDITOR_FAILED: {when: 'The editor for a prompt could not be started, or ended with an error.'},
  EDITOR_MISSING: {when: 'There is no editor for a prompt: neither VISUAL nor EDITOR names one.'},
} as const satisfies ErrorTable;
