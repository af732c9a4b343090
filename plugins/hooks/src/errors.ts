import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  HOOK_IMPORT_FAILED: {when: 'Hooks of another program cannot be read.', exit: 42},
  HOOK_INPUT_INVALID: {when: 'The input for gemini hooks test is not a JSON object.', exit: 42},
  HOOK_STOPPED: {when: 'A hook stopped the agent, or a hook that must not fail did.'},
  HOOK_UNKNOWN: {when: 'There is no hook of this name, or no such event.', exit: 42},
  HOOK_UNTRUSTED: {when: 'A hook of the project was not acknowledged, or its folder is not trusted.', exit: 55},
} as const satisfies ErrorTable;
