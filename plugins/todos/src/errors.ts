import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TODOS_INVALID: {when: 'A list of steps has one without a description, or several that are in progress.'},
} as const satisfies ErrorTable;
