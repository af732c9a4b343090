import {widthOf, type Graphemes, type Paint, type Style} from '@gemini-kernel/terminal';

/** A part of a line with one style. */
export interface Piece {
  readonly text: string;
  readonly style?: Style | undefined;
  /** Its colours are exchanged: it is what differs. */
  readonly isMarked?: boolean;
}

const PLAIN = /^[\u0020-\u007e]*$/;
const WORDS = /\s+|\S+/g;

interface Wrapping {
  readonly columns: number;
  readonly graphemes: Graphemes;
  /** Rows end between words, where one fits on a row. */
  readonly byWords?: boolean;
  /** Columns that rows after the first one have less. */
  readonly hang?: number;
}

/** Breaks a line into rows of at most `columns`. An empty line is one row. */
export function wrapPieces<P extends Piece>(pieces: readonly P[], wrapping: Wrapping): readonly (readonly P[])[] {
  const {graphemes, byWords = false} = wrapping;
  let {columns} = wrapping;
  const rows: P[][] = [[]];
  let width = 0;
  const newRow = (): void => {
    rows.push([]);
    width = 0;
    columns = Math.max(2, wrapping.columns - (wrapping.hang ?? 0));
  };
  const place = (text: string, piece: P): void => {
    const wide = widthOf(text);
    if (width + wide <= columns) {
      rows.at(-1)?.push({...piece, text});
      width += wide;
      return;
    }
    let kept = '';
    for (const one of PLAIN.test(text) ? text : graphemes.split(text)) {
      const next = widthOf(one);
      if (width + next > columns && width > 0) {
        rows.at(-1)?.push({...piece, text: kept});
        newRow();
        kept = '';
      }
      kept += one;
      width += next;
    }
    rows.at(-1)?.push({...piece, text: kept});
  };
  for (const piece of pieces)
    for (const text of byWords ? (piece.text.match(WORDS) ?? []) : [piece.text]) {
      const isTooWide = byWords && width > 0 && width + widthOf(text) > columns;
      if (isTooWide && widthOf(text.trim()) <= columns) newRow();
      // The blank between two words is not needed where a row ends.
      if (!isTooWide || text.trim() !== '') place(text, piece);
    }
  return rows;
}

/** A row with its colours, which end with it. */
export function paintPieces(pieces: readonly Piece[], paint: Paint): string {
  const hasColour = paint('dim', 'x') !== 'x';
  return pieces
    .map(({text, style, isMarked}) => {
      const painted = style === undefined ? text : paint(style, text);
      return isMarked && hasColour && text !== '' ? `\u001b[7m${painted}\u001b[27m` : painted;
    })
    .join('');
}

export function widthOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, {text}) => sum + widthOf(text), 0);
}
