import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  CHECKPOINT_CONFLICT: {when: 'Files that would be brought back were changed by somebody else since.'},
  CHECKPOINT_UNKNOWN: {when: 'No checkpoint has that number or id.', exit: 42},
  EXPORT_EXISTS: {when: 'A file that a conversation is exported to exists already.'},
  EXPORT_FORMAT_UNKNOWN: {
    when: 'A file that a conversation is exported to ends neither in .md nor in .json.',
    exit: 42,
  },
  EXPORT_UNWRITABLE: {when: 'A file that a conversation is exported to cannot be written.'},
  RESUME_NEEDS_CONVERSATION: {
    when: 'A recorded session is to be resumed by /resume, outside of a conversation.',
    exit: 42,
  },
  SESSION_BROKEN: {when: 'A session file cannot be read.', exit: 42},
  SESSION_EXISTS: {when: 'The id that was given for a new session belongs to one that exists.', exit: 42},
  SESSION_FILE_UNREADABLE: {when: 'The file that was given to start from holds no conversation.', exit: 42},
  SESSION_FLAGS_CONFLICT: {when: 'More than one of --resume, --session-id and --session-file were given.'},
  SESSION_ID_INVALID: {when: 'An id for a new session has other characters than letters, digits, - and _.', exit: 42},
  SESSION_IN_USE: {when: 'Another process, or another conversation of this one, is recording the session.', exit: 42},
  SESSION_PROMPT_UNKNOWN: {when: 'No prompt of the session has that number or id.', exit: 42},
  SESSION_UNKNOWN: {when: 'No session of this project has that number or id.', exit: 42},
  SESSION_UNWRITABLE: {when: 'A session file cannot be changed or deleted.'},
  SESSION_WAIT_INVALID: {when: 'What follows --wait is not a number of seconds.', exit: 42},
  TAG_TAKEN: {when: 'A conversation was kept under that name before.'},
  TAG_UNKNOWN: {when: 'No conversation was kept under that name.', exit: 42},
} as const satisfies ErrorTable;
