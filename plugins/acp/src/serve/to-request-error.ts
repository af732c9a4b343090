import {isKernelError, isToolError} from '@gemini-kernel/kernel';
import type {Sdk} from './setup.js';

const INVALID_PARAMS = -32602;
const NOT_FOUND = -32002;
const AUTH_REQUIRED = -32000;
const INTERNAL = -32603;

const CODES: Readonly<Record<string, number>> = {
  ACP_REQUEST_INVALID: INVALID_PARAMS,
  ...{MODE_UNKNOWN: INVALID_PARAMS, MODE_TOO_LOOSE: INVALID_PARAMS, YOLO_DISABLED: INVALID_PARAMS},
  ...{MODEL_UNKNOWN: INVALID_PARAMS, THOUGHT_LEVEL_UNKNOWN: INVALID_PARAMS, ACP_AUTH_MISSING: AUTH_REQUIRED},
  ...{ACP_SESSION_UNKNOWN: NOT_FOUND, SESSION_UNKNOWN: NOT_FOUND, CONVERSATION_UNKNOWN: NOT_FOUND},
};

/** Answers a request; an error for people reaches the editor as a sentence, a bug is logged with its stack. */
export async function answering<T>(
  {RequestError}: Pick<Sdk, 'RequestError'>,
  log: (line: string) => void,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (!isKernelError(error) && !isToolError(error)) {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      throw error;
    }
    const {code, message, hint} = error;
    const details = hint ? `${message} ${hint}` : message;
    throw new RequestError(CODES[code] ?? INTERNAL, details, {code, details});
  }
}
