import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  DIRECTORY_UNNAMED: {when: 'gemini directory add got nothing but commas and spaces.', exit: 42},
} as const satisfies ErrorTable;
