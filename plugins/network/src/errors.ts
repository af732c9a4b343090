import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws. */
export default {
  PROXY_INVALID: {when: 'A variable names a proxy by something that is not the address of one.', exit: 42},
  PROXY_UNSUPPORTED: {
    when: 'A proxy is named, but the release of Node that runs this program cannot be made to use one.',
    exit: 42,
  },
} as const satisfies ErrorTable;
