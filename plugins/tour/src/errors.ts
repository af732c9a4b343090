import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TOUR_FAILED: {when: 'A command of the guided tour did not end well.'},
} as const satisfies ErrorTable;
