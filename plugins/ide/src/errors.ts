import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  COMPANION_SILENT: {when: 'A companion under check ended, or did not write its discovery file in time.'},
  COMPANION_UNFIT: {when: 'A companion does not meet its specification.'},
  COMPANION_UNKNOWN: {
    when:
      'The companion to check has no known discovery file or token, or its argument is neither a port nor a ' +
      'command.',
    exit: 42,
  },
  IDE_CLI_MISSING: {when: 'The command line of the editor, which installs the companion, was not found.'},
  IDE_INSTALL_FAILED: {
    when:
      'The command line of the editor could not be started, took too long, or failed while it installed the ' +
      'companion.',
  },
  IDE_UNKNOWN: {
    when: 'The name of the editor is unknown, or no editor is named in a terminal that does not belong to ' + 'one.',
    exit: 42,
  },
} as const satisfies ErrorTable;
