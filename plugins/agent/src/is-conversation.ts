import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {ChatLine} from './chat-line.js';

/** Whether the line begins a conversation. Throws KernelError TERMINAL_NEEDED when it must and there is no terminal. */
export function isConversation(
  {flags, file}: ChatLine,
  {interactive, variables}: Pick<Environment, 'interactive' | 'variables'>,
): boolean {
  const isAtTerminal = interactive && variables['GITHUB_ACTIONS'] !== 'true';
  if (flags['prompt-interactive'] === undefined) return isAtTerminal && flags.prompt === undefined && !file;
  if (isAtTerminal) return true;
  throw new KernelError('TERMINAL_NEEDED', '--prompt-interactive needs a terminal to talk at.', {
    hint: 'Use --prompt where there is none.',
  });
}
