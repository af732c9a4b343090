import type {CommandOrigin} from '@gemini-kernel/plugin-agent/contract';
import type {CustomCommand, ShellPiece, TemplatePart} from './contract.js';

/** A command as lists and programs get it. */
export interface ShownCommand {
  /** As typed: another one than its own where that is taken. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly origin: CommandOrigin;
  readonly file: string;
}

export function toShown({id, parts, ...command}: CustomCommand, typed: ReadonlyMap<string, string>): ShownCommand {
  void parts;
  return {...command, name: typed.get(id) ?? command.name};
}

/** Whose a command is, in words. */
export function describeOrigin({kind, name}: CommandOrigin): string {
  if (kind === 'project') return 'project';
  return kind === 'person' ? 'user' : `extension ${name ?? ''}`;
}

/** The parts of a prompt that do something, in the order in which they do it, without repetition. */
export function describeParts(parts: readonly TemplatePart[]): {
  readonly files: readonly string[];
  readonly shell: readonly string[];
  readonly arguments: readonly string[];
} {
  const places = parts.flatMap((part): readonly (TemplatePart | ShellPiece)[] =>
    part.kind === 'shell' ? part.pieces : [part],
  );
  return {
    files: [...new Set(parts.flatMap((part) => (part.kind === 'file' ? [part.path] : [])))],
    shell: [...new Set(parts.flatMap((part) => (part.kind === 'shell' ? [showPieces(part.pieces)] : [])))],
    arguments: [...new Set(places.flatMap((part) => (part.kind === 'arguments' ? [showPlace(part.position)] : [])))],
  };
}

function showPieces(pieces: readonly ShellPiece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : showPlace(piece.position))).join('');
}

function showPlace(position: number | undefined): string {
  return position === undefined ? '{{args}}' : `{{args.${position}}}`;
}
