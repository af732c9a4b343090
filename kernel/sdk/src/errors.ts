import type {ErrorTable} from '@gemini-kernel/kernel';

/** Codes that the SDK throws. */
export const sdkErrors = {
  SDK_INVALID: {when: 'an option, a prompt or a tool that was given to the SDK cannot be used', exit: 42},
  SDK_CLOSED: {when: 'an agent or a session of the SDK is used after it was closed'},
  SDK_PLUGIN_REFUSED: {when: 'a plugin that was given to the SDK is not there or may not load'},
  RUN_CANCELLED: {when: 'the program that runs a prompt through the SDK has cancelled it', exit: 130},
} as const satisfies ErrorTable;
