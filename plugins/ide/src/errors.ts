import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  COMPANION_SILENT: {when: 'A companion that was started to be checked ended, or told nobody where it listens.'},
  COMPANION_UNFIT: {when: 'A companion does not do what its specification says.'},
  COMPANION_UNKNOWN: {
    when:
      'A companion is to be checked, and neither its discovery file nor its token is known, or it is named by what ' +
      'is neither a port nor a command.',
    exit: 42,
  },
  IDE_CLI_MISSING: {when: 'The command line of an editor, which would install the companion, is not found.'},
  IDE_INSTALL_FAILED: {
    when:
      'The command line of an editor could not be started, took too long, or ended with an error when it was to ' +
      'install the companion.',
  },
  IDE_UNKNOWN: {
    when:
      'An editor to install the companion into is not known by its name, or none is named in a terminal that ' +
      'belongs to none.',
    exit: 42,
  },
} as const satisfies ErrorTable;
