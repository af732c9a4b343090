import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  CUSTOM_COMMAND_EXISTS: {when: 'A file of a custom command would replace another one.', exit: 42},
  CUSTOM_COMMAND_FAILED: {when: 'A shell command in a custom command could not run.'},
  CUSTOM_COMMAND_INVALID: {when: 'A custom command, its name or its arguments are invalid.', exit: 42},
  CUSTOM_COMMAND_REFUSED: {when: 'A shell command in a custom command was refused.', exit: 56},
  CUSTOM_COMMAND_UNKNOWN: {when: 'There is no custom command or file of this name.', exit: 42},
} as const satisfies ErrorTable;
