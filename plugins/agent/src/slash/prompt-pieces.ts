import {markForeign} from '@gemini-kernel/kernel';
import type {Piece, PromptPart} from '../contract.js';

/** The parts of a prompt from a command, as the model gets them. */
export function toPieces(parts: readonly PromptPart[]): readonly Piece[] {
  return parts.map((part): Piece => {
    if ('inlineData' in part) return {kind: 'data', mimeType: part.inlineData.mimeType, data: part.inlineData.data};
    return {kind: 'text', text: part.isForeign ? markForeign(part.text) : part.text};
  });
}
