import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  ARGUMENTS_UNREADABLE: {
    when: 'The arguments given to gemini tools call are not JSON, not key=value, or cannot be read.',
    exit: 42,
  },
  CALL_REFUSED: {when: 'A gate denied a call, or there was no person to approve it.'},
} as const satisfies ErrorTable;
