import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  INBOX_INVALID: {when: 'A proposal cannot be applied as it is.'},
  INBOX_NOT_AGREED: {when: 'A proposal was not agreed to, or no one could be asked.'},
  INBOX_UNDO: {when: 'There is nothing to take back, or what was made has been changed since.'},
  INBOX_UNKNOWN: {when: 'The inbox has no proposal with this id or number.', exit: 42},
  LEARNING_FAILED: {when: 'The model gave no answer when sessions were to be learned from.'},
  LEARNING_UNSAFE: {when: 'No plugin takes secrets out of sessions, so that none is sent to a model.'},
  INBOX_UNWRITABLE: {when: 'The files of a proposal cannot be written.'},
} as const satisfies ErrorTable;
