import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';

/** Of one piece: the beginning and the end. */
const MOST = 2000;

/** Entries as text, for a model that summarises them. Long pieces are cut: their files have the whole. */
export function writeRecord(entries: readonly Entry[]): string {
  return entries
    .filter(({kind}) => kind !== 'note')
    .flatMap(({message: {role, pieces}}) => pieces.map((piece) => [role, writePiece(piece)] as const))
    .filter(([, text]) => text !== '')
    .map(([role, text]) => `[${role}] ${text}`)
    .join('\n');
}

function writePiece(piece: Piece): string {
  if (piece.kind === 'text') return cut(piece.text);
  if (piece.kind === 'thought') return '';
  if (piece.kind === 'data') return `(${piece.mimeType})`;
  if (piece.kind === 'call') return cut(`called ${piece.name} with ${JSON.stringify(piece.input)}`);
  const output = piece.output.map((part) => ('text' in part ? part.text : `(${part.inlineData.mimeType})`)).join('\n');
  return cut(`${piece.name} ${piece.failed ? 'failed' : 'answered'}: ${output}`);
}

function cut(text: string): string {
  const half = MOST / 2;
  if (text.length <= MOST) return text;
  return `${text.slice(0, half)}[… ${text.length - MOST} characters …]${text.slice(-half)}`;
}
