import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TOUR_FAILED: {when: 'A command of the guided tour failed.'},
} as const satisfies ErrorTable;
