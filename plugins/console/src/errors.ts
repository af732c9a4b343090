import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  EDITOR_FAILED: {when: 'The editor that a prompt was to be written in could not be started, or ended with an error.'},
  EDITOR_MISSING: {when: 'A prompt was to be written in an editor, and neither VISUAL nor EDITOR names one.'},
} as const satisfies ErrorTable;
