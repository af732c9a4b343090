import {KernelError} from '@gemini-kernel/kernel';
import type {ArgumentPlace, ShellKind, ShellPiece} from '../contract.js';
import {splitWords} from './find-arguments.js';
import {quoteArgument} from './quote-argument.js';

/** What a placeholder of arguments stands for. */
export function argumentAt({position}: ArgumentPlace, given: string): string {
  return position === undefined ? given : (splitWords(given)[position - 1] ?? '');
}

/** The command of a template with its arguments, quoted. Throws KernelError CUSTOM_COMMAND_INVALID. */
export function composeCommand(pieces: readonly ShellPiece[], given: string, shell: ShellKind): string {
  const words = pieces.map((piece) =>
    piece.kind === 'text' ? piece.text : quoteArgument[shell](argumentAt(piece, given), piece.quotes),
  );
  const command = words.join('');
  if (!command.includes('\0')) return command;
  const message = 'The arguments contain a zero byte, which no shell command can have.';
  throw new KernelError('CUSTOM_COMMAND_INVALID', message, {hint: 'Leave it out.'});
}
