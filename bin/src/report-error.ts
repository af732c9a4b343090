import {isKernelError, isToolError} from '@gemini-kernel/kernel';

interface Report {
  /** For people, on standard error. */
  readonly text: string;
  /** For programs, on standard output. */
  readonly json: {readonly error: {readonly type: string; readonly code: string; readonly message: string; readonly hint?: string; readonly exit: number}};
  readonly exit: number;
}

/** An error as people and programs should see it; undefined for oclif's way to end with an exit code and nothing to say. */
export function describeError(error: unknown, exitCodeOf: (code: string) => number): Report {
  if (isKernelError(error) || isToolError(error)) {
    const {code, message, hint, name: type} = error;
    const exit = exitCodeOf(code);
    return {exit, text: hint ? `${message}\n${hint}` : message, json: {error: {type, code, message, ...(hint ? {hint} : {}), exit}}};
  }
  const {oclif, message = String(error), name: type = 'Error', stack, code} = (error ?? {}) as Partial<Error> & {oclif?: {exit?: number | false}; code?: string};
  if (oclif) {
    const exit = typeof oclif.exit === 'number' ? oclif.exit : 1;
    const [first = '', ...rest] = message.split('\n');
    return {exit, text: message.trim(), json: {error: {type, code: code ?? 'USAGE_WRONG', message: first, ...(rest.join(' ').trim() ? {hint: rest.join(' ').trim()} : {}), exit}}};
  }
  return {exit: 1, text: `This is a bug: ${stack ?? message}`, json: {error: {type, code: 'BUG', message, exit: 1}}};
}
