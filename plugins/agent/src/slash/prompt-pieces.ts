import type {Piece, PromptPart} from '../contract.js';

/** The parts of a prompt from a command, as the model gets them. */
export function toPieces(parts: readonly PromptPart[]): readonly Piece[] {
  return parts.map((part): Piece => {
    if ('inlineData' in part) return {kind: 'data', mimeType: part.inlineData.mimeType, data: part.inlineData.data};
    return {kind: 'text', text: part.isForeign ? markForeign(part.text) : part.text};
  });
}

/** Wraps a foreign text in a frame that it cannot close. */
export function markForeign(text: string): string {
  return `<untrusted_context>\n${text.replace(/<(\s*\/?\s*untrusted_context)/gi, '&lt;$1')}\n</untrusted_context>`;
}
