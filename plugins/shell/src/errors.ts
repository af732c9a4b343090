import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  SHELL_MISSING: {when: 'There is no shell on this machine that could run a command.'},
  COMMAND_BLANK: {when: 'A command holds nothing but spaces.'},
  COMMAND_DIRECTORY_GONE: {
    when: 'The directory in which a command was to run does not exist, is none, or may not be entered.',
  },
  COMMAND_TOO_LONG: {when: 'A command, with its environment, is longer than the system takes.'},
  COMMAND_UNSTARTED: {when: 'The system refuses to start a command for another reason.'},
  PROCESSES_EXHAUSTED: {when: 'The system has no process, file descriptor or memory left for a command.'},
  PROCESS_UNKNOWN: {when: 'No background process of this session has that process id.'},
} as const satisfies ErrorTable;
