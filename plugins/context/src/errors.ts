import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  CONTEXT_NODE_UNKNOWN: {when: 'A conversation has no node with this id.', exit: 42},
} as const satisfies ErrorTable;
