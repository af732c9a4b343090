import {isKernelError, isToolError, messageOf} from '@gemini-kernel/kernel';

/** The error of a line, as followers of its conversation get it. */
export function describeFailed(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
} {
  if (!isKernelError(error) && !isToolError(error)) return {code: 'BUG', message: messageOf(error)};
  const {code, message, hint} = error;
  return {code, message, ...(hint ? {hint} : {})};
}
