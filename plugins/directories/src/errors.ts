import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  DIRECTORY_UNNAMED: {when: 'gemini directory add was given nothing but commas and blanks.', exit: 42},
} as const satisfies ErrorTable;
