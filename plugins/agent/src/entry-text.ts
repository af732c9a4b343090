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

/** The messages that a model gets of a conversation: roles alternate, notes are left out, nothing is empty. */
export function toMessages(entries: readonly Entry[]): readonly Message[] {
  const messages: {role: Message['role']; pieces: Piece[]}[] = [];
  for (const {kind, message} of entries) {
    const pieces = message.pieces.filter(
      (piece) => !(piece.kind === 'text' && piece.text === '' && piece.signature === undefined),
    );
    if (kind === 'note' || pieces.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === message.role) last.pieces.push(...pieces);
    else messages.push({role: message.role, pieces});
  }
  return messages;
}

/** The output of a tool as text; pictures are only named. */
export function textOfOutput(output: readonly Part[]): string {
  return output.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('\n');
}
