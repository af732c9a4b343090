import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  PLUGIN_UNKNOWN: {when: 'gemini doctor got the name of a plugin that does not exist.', exit: 42},
  CALL_FORGOTTEN: {when: 'The call for gemini why is not recorded, or no longer.', exit: 42},
} as const satisfies ErrorTable;
