import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  PLUGIN_UNKNOWN: {when: 'gemini doctor is asked about a plugin that is not there.', exit: 42},
  CALL_FORGOTTEN: {when: 'A call that gemini why is asked about is not kept, or not any more.', exit: 42},
} as const satisfies ErrorTable;
