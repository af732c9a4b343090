import type {Message, ModelRequest, Piece} from './contract.js';

/** The approximate characters per token of text; other scripts (such as CJK) are nearer to one each. */
const LATIN = 4;
const MEDIA_TOKENS = 1100;

/** The estimated tokens of a text. */
export function estimateText(text: string): number {
  let wide = 0;
  // Looking at every character of a long text would cost more than the estimate is worth.
  const step = Math.max(1, Math.floor(text.length / 2000));
  let seen = 0;
  for (let at = 0; at < text.length; at += step) {
    seen += 1;
    if (text.charCodeAt(at) > 0x2e7f) wide += 1;
  }
  const share = seen === 0 ? 0 : wide / seen;
  return Math.ceil(text.length * (share + (1 - share) / LATIN));
}

/** The estimated tokens of a piece. */
export function estimatePiece(piece: Piece): number {
  if (piece.kind === 'text' || piece.kind === 'thought') return estimateText(piece.text);
  if (piece.kind === 'data') return MEDIA_TOKENS;
  if (piece.kind === 'call') return estimateText(piece.name) + estimateText(JSON.stringify(piece.input ?? {}));
  return piece.output.reduce((sum, part) => sum + ('text' in part ? estimateText(part.text) : MEDIA_TOKENS), 0);
}

/** The estimated tokens of messages. */
export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, {pieces}) => sum + pieces.reduce((inner, piece) => inner + estimatePiece(piece), 0), 0);
}

/** The estimated tokens of a request. */
export function estimateRequest({system, messages, tools}: ModelRequest): number {
  return estimateText(system) + estimateMessages(messages) + estimateText(JSON.stringify(tools));
}
