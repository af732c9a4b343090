import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  SANDBOX_UNAVAILABLE: {when: 'A sandbox is asked for, and this machine cannot provide it.', exit: 44},
  SANDBOX_GRANT_INVALID: {
    when: 'A host, a path or a header in a grant or a setting of the sandbox cannot be meant.',
    exit: 42,
  },
  SANDBOX_OPTION_INVALID: {when: 'A variable says something about a container that cannot be used.', exit: 44},
  SANDBOX_UNKNOWN: {when: 'A sandbox is asked for by a name that is not the name of a sandbox.', exit: 44},
  SANDBOX_ROOT_TOO_WIDE: {
    when: 'A directory of the workspace contains your home, so that nothing in it could be hidden from commands.',
    exit: 44,
  },
} as const satisfies ErrorTable;
