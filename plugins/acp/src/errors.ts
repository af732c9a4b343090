import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  ACP_AUTH_MISSING: {when: 'A session of an editor has no key for its model.', exit: 41},
  ACP_INVALID: {when: 'gemini --acp cannot be used this way.', exit: 42},
  ACP_REQUEST_INVALID: {when: 'An editor sent a request over ACP with a value that cannot be used.'},
  ACP_SESSION_UNKNOWN: {when: 'An editor named a session over ACP that is not open, or not recorded.'},
} as const satisfies ErrorTable;
