import type {ErrorTable} from '@gemini-kernel/kernel';

/** Codes that the SDK throws. */
export const sdkErrors = {
  SDK_INVALID: {when: 'An option, a prompt or a tool that a program gave to the SDK cannot be used.', exit: 42},
  SDK_CLOSED: {when: 'An agent or a session of the SDK is used after it was closed.'},
  SDK_PLUGIN_REFUSED: {when: 'A plugin that a program gave to the SDK is not there, or may not load.'},
  RUN_CANCELLED: {when: 'A program cancelled a prompt of the SDK.', exit: 130},
} as const satisfies ErrorTable;
