import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  PROXY_INVALID: {when: 'The value of a proxy variable is not a valid proxy address.', exit: 42},
  PROXY_UNSUPPORTED: {
    when: 'A proxy is set, but this release of Node cannot use one.',
    exit: 42,
  },
} as const satisfies ErrorTable;
