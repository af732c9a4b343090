import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  CHECKPOINT_CONFLICT: {when: 'Files that would be restored have been changed by someone else.'},
  CHECKPOINT_UNKNOWN: {when: 'No checkpoint has that number or id.', exit: 42},
  EXPORT_EXISTS: {when: 'The file that a conversation is exported to already exists.'},
  EXPORT_FORMAT_UNKNOWN: {
    when: 'The name of an export file ends neither in .md nor in .json.',
    exit: 42,
  },
  EXPORT_UNWRITABLE: {when: 'An export file cannot be written.'},
  RESUME_NEEDS_CONVERSATION: {
    when: '/resume was used outside a conversation.',
    exit: 42,
  },
  SESSION_BROKEN: {when: 'A session file cannot be read.', exit: 42},
  SESSION_EXISTS: {when: 'The id for a new session is already in use.', exit: 42},
  SESSION_FILE_UNREADABLE: {when: 'The file to start from contains no conversation.', exit: 42},
  SESSION_FLAGS_CONFLICT: {when: 'More than one of --resume, --session-id and --session-file was given.'},
  SESSION_ID_INVALID: {
    when: 'The id for a new session contains characters other than letters, digits, - and _.',
    exit: 42,
  },
  SESSION_IN_USE: {when: 'Another process, or another conversation of this one, is recording the session.', exit: 42},
  SESSION_PROMPT_UNKNOWN: {when: 'No prompt of the session has that number or id.', exit: 42},
  SESSION_TITLE_INVALID: {when: 'The name for a session is empty or too long.', exit: 42},
  SESSION_UNKNOWN: {when: 'No session of this project has that number or id.', exit: 42},
  SESSION_UNWRITABLE: {when: 'A session file cannot be changed or deleted.'},
  SESSION_WAIT_INVALID: {when: 'The value of --wait is not a number of seconds.', exit: 42},
  TAG_TAKEN: {when: 'A conversation was already saved under that name.'},
  TAG_UNKNOWN: {when: 'No conversation was saved under that name.', exit: 42},
} as const satisfies ErrorTable;
