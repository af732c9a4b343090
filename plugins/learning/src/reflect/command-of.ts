import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';

const PLAIN = /^[\w./@:+-]+$/;

/**
 * What a shell line runs: the program, and its first word where that is plain (`npm test`). Undefined for other tools,
 * and for lines that begin with anything else.
 */
export function commandOf({name, input}: Pick<CallRecord, 'name' | 'input'>): string | undefined {
  if (name !== 'run_shell_command') return undefined;
  const line = (input as {command?: unknown} | null)?.command;
  if (typeof line !== 'string') return undefined;
  const [program = '', word = ''] = line.trim().split(/\s+/);
  if (!PLAIN.test(program)) return undefined;
  return PLAIN.test(word) && !word.startsWith('-') ? `${program} ${word}` : program;
}
