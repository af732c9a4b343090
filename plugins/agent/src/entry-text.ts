import type {Part} from '@gemini-kernel/kernel';
import type {Entry, Message, Piece} from './contract.js';

/** The plain text of a message, without thoughts and calls. */
export function textOf({pieces}: Message): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

/** The calls in a message. */
export function callsOf({pieces}: Message): readonly Extract<Piece, {kind: 'call'}>[] {
  return pieces.filter((piece) => piece.kind === 'call');
}

/**
 * The messages that a model gets of a conversation: roles alternate, notes are left out, nothing is empty. A message of
 * one entry is the entry's own: what was frozen before need not be copied for each request.
 */
export function toMessages(entries: readonly Entry[]): readonly Message[] {
  const messages: Message[] = [];
  for (const {kind, message} of entries) {
    const kept = message.pieces.some(isEmpty) ? {...message, pieces: withoutEmpty(message.pieces)} : message;
    if (kind === 'note' || kept.pieces.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role !== kept.role) messages.push(kept);
    else messages[messages.length - 1] = {role: last.role, pieces: [...last.pieces, ...kept.pieces]};
  }
  return messages;
}

function isEmpty(piece: Piece): boolean {
  return piece.kind === 'text' && piece.text === '' && piece.signature === undefined;
}

function withoutEmpty(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter((piece) => !isEmpty(piece));
}

/** The output of a tool as text; pictures are only named. */
export function textOfOutput(output: readonly Part[]): string {
  return output.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('\n');
}
