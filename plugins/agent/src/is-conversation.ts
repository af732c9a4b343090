import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {ChatLine} from './chat-line.js';

/**
 * Whether the line starts a conversation. Throws KernelError TERMINAL_NEEDED when it requires one and there is no
 * terminal.
 */
export function isConversation(
  {flags, file}: ChatLine,
  {interactive, variables}: Pick<Environment, 'interactive' | 'variables'>,
): boolean {
  const isAtTerminal = interactive && variables['GITHUB_ACTIONS'] !== 'true';
  if (flags['prompt-interactive'] === undefined) return isAtTerminal && flags.prompt === undefined && !file;
  if (isAtTerminal) return true;
  throw new KernelError('TERMINAL_NEEDED', '--prompt-interactive needs a terminal.', {
    hint: 'Without a terminal, use --prompt.',
  });
}
