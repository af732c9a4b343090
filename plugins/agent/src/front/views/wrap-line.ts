import type {Graphemes} from '@gemini-kernel/terminal';
import {wrapPieces} from './pieces.js';

export interface LineWrapping {
  readonly columns: number;
  readonly graphemes: Graphemes;
  /** Rows end between words, where one fits on a row. */
  readonly byWords: boolean;
  /** Blanks before further rows. */
  readonly hang?: number;
  /** The codes of the colours that are open at the start. */
  readonly open?: string;
}

const TAB = '    ';
const STYLED = /\u001b\[[\d;]*m|[^\u001b]+/g;
const ENDS = /^\u001b\[(?:2[2-9]|[34]9|0)?(?:;39)?m$/;

/** Wraps a line that may have our own colours: a row starts with those that are open, and ends all. */
export function wrapLine(line: string, {open = '', hang = 0, ...wrapping}: LineWrapping): readonly string[] {
  let codes = open;
  const pieces: {text: string; codes: string}[] = [];
  for (const [part] of line.replaceAll('\t', TAB).matchAll(STYLED)) {
    if (part.startsWith('\u001b')) codes = afterCode(codes, part);
    else pieces.push({text: part, codes});
  }
  const blanks = ' '.repeat(hang);
  return wrapPieces(pieces, {...wrapping, hang}).map(
    (row, index) =>
      (index > 0 ? blanks : '') +
      row.map((piece) => (piece.codes === '' ? piece.text : `${piece.codes}${piece.text}\u001b[0m`)).join(''),
  );
}

/** The codes of the colours that are open after a text. */
export function openAfter(text: string, open = ''): string {
  return (text.match(/\u001b\[[\d;]*m/g) ?? []).reduce(afterCode, open);
}

/** The open colours after a code, which opens one more or ends the last one. */
function afterCode(open: string, code: string): string {
  if (!ENDS.test(code)) return open + code;
  const all = open.match(/\u001b\[[\d;]*m/g) ?? [];
  return code === '\u001b[0m' || code === '\u001b[m' ? '' : all.slice(0, -1).join('');
}
