import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  FRAME_TOO_LARGE: {when: 'A plugin in a process of its own and gemini passed more than 16 MiB in one message.'},
  PLUGIN_CHANGED: {when: 'The files of an isolated plugin are not those that were checked when gemini started.'},
  PLUGIN_DIED: {when: 'The process of a plugin ended while it worked, or did not answer.'},
  PLUGIN_LEFT_OUT: {when: 'The process of a plugin ended three times within a minute.'},
  PLUGIN_UNISOLATED: {when: 'A plugin must run in a process of its own, and cannot.', exit: 44},
  SERVICE_LOCAL: {when: 'A plugin in a process of its own asked for what works within one process only.'},
} as const satisfies ErrorTable;
