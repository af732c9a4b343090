import type {ErrorTable} from '@gemini-kernel/kernel';

/** Every code this plugin throws, beside those of the contract. */
export default {
  QUEUE_ADDRESS_INVALID: {when: 'The address of a queue between machines cannot be understood.', exit: 42},
  QUEUE_UNREACHABLE: {when: 'The server of a queue does not answer, or refuses who asks.', exit: 1},
  QUEUE_UNSAFE: {when: 'The server of a queue is set up to lose what it keeps.', exit: 42},
} as const satisfies ErrorTable;
