import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  SHELL_MISSING: {when: 'No shell was found on this machine.'},
  COMMAND_BLANK: {when: 'The command is blank.'},
  COMMAND_DIRECTORY_GONE: {
    when: 'The directory to run a command in does not exist, is not a directory, or may not be entered.',
  },
  COMMAND_TOO_LONG: {when: 'The command and its environment are longer than the system allows.'},
  COMMAND_UNSTARTED: {when: 'The system refuses to start a command for another reason.'},
  PROCESSES_EXHAUSTED: {when: 'The system has no process, file descriptor or memory left for a command.'},
  SHELLS_NEED_CONVERSATION: {when: 'gemini shells runs outside of a conversation.', exit: 42},
  TERMINAL_NONE: {when: 'A command has no terminal to type into, or no longer reads from it.'},
  PROCESS_UNKNOWN: {when: 'No background process of this session has that process id.'},
} as const satisfies ErrorTable;
