import type {CallRecord} from '../contract.js';

const SHELL = 'run_shell_command';
/** The line that both programs add to the output of a command that did not end well. */
const BAD_END = /^(?:Exit Code: [1-9]\d*|Signal: \S+)$/m;

/**
 * Whether a call came to nothing: it failed, or its command ended with an error, which the call itself counts as done.
 * A recorded session has only the output to tell.
 */
export function hasFailed({name, status, output}: Pick<CallRecord, 'name' | 'status' | 'output'>): boolean {
  if (status !== 'done') return status === 'failed';
  return name === SHELL && output.some((part) => 'text' in part && BAD_END.test(part.text));
}
