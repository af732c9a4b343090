import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TODOS_INVALID: {when: 'A list of steps has one without a description, or several that are in progress.'},
  TRACKER_INVALID: {
    when: 'A task is unknown, has no title, waits for itself, or is closed before what it depends on.',
  },
} as const satisfies ErrorTable;
