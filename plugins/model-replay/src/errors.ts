import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  RECORDING_UNREADABLE: {when: 'A recording cannot be read, or a line of it is not an answer.', exit: 42},
  RECORDING_UNWRITABLE: {when: 'The answers of a model cannot be written to the file of --record-responses.', exit: 42},
} as const satisfies ErrorTable;
