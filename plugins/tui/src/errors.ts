import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  TERMINAL_MISSING: {when: 'gemini doctor terminal was run without a terminal to ask.', exit: 42},
  FOOTER_UNKNOWN: {when: 'gemini settings footer was given an item that the footer does not have.', exit: 42},
  FOOTER_UNCLEAR: {when: 'gemini settings footer was given items and --usual.', exit: 42},
  EDITOR_KEYS_BROKEN: {when: 'keybindings.json of an editor cannot be read, so that no key is added to it.', exit: 1},
} as const satisfies ErrorTable;
