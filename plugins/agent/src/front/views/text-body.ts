import {MarkdownStream, safeLine, safeText, withoutStyle, type Graphemes, type Look} from '@gemini-kernel/terminal';
import type {ViewText} from '../../views.js';
import {sideBySideRows, unifiedRows} from './diff-rows.js';
import {paintPieces, wrapPieces} from './pieces.js';
import {readDiff, type DiffLine} from './read-diff.js';
import {wrapLine} from './wrap-line.js';

export interface BodyParts {
  readonly look: Look;
  readonly graphemes: Graphemes;
}

type Read = {readonly title: string | undefined} & (
  | {readonly kind: 'lines'; readonly lines: readonly string[]}
  | {readonly kind: 'diff'; readonly lines: readonly DiffLine[]}
);

/** Narrower windows show both sides of a diff in one column. */
const LEAST_BESIDE = 100;

/** Texts to read, as rows of a width; kept until the width changes. */
export class TextBody {
  readonly #read: readonly Read[];
  #rows: {readonly columns: number; readonly isBeside: boolean; readonly rows: readonly string[]} | undefined;
  /** What the person chose for diffs; undefined: by the width. */
  #beside: boolean | undefined;

  constructor(
    texts: readonly ViewText[],
    private readonly parts: BodyParts,
  ) {
    this.#read = texts.map((text) => this.#readText(text));
  }

  get hasDiff(): boolean {
    return this.#read.some(({kind}) => kind === 'diff');
  }

  /** Shows diffs in one column instead of two, or the other way round. */
  toggleSides(columns: number): void {
    this.#beside = !this.#isBeside(columns);
  }

  rows(columns: number): readonly string[] {
    const isBeside = this.#isBeside(columns);
    if (this.#rows?.columns !== columns || this.#rows.isBeside !== isBeside)
      this.#rows = {columns, isBeside, rows: this.#lay(columns, isBeside)};
    return this.#rows.rows;
  }

  /** The number of the next row that contains the text, from a row on; -1: none does. */
  find(text: string, from: number, {columns, step}: {readonly columns: number; readonly step: 1 | -1}): number {
    const rows = this.rows(columns);
    const needle = text.toLowerCase();
    for (let count = 0, at = from; count < rows.length; count += 1, at += step) {
      const row = ((at % rows.length) + rows.length) % rows.length;
      if (
        withoutStyle(rows[row] ?? '')
          .toLowerCase()
          .includes(needle)
      )
        return row;
    }
    return -1;
  }

  #isBeside(columns: number): boolean {
    return this.#beside ?? columns >= LEAST_BESIDE;
  }

  #readText({kind, title, text}: ViewText): Read {
    if (kind === 'diff') return {title, kind, lines: readDiff(text)};
    if (kind === 'text') return {title, kind: 'lines', lines: safeText(text).replace(/\n$/, '').split('\n')};
    const {paragraph: _, ...look} = this.parts.look;
    const stream = new MarkdownStream(look);
    return {title, kind: 'lines', lines: (stream.push(text) + stream.end()).trimEnd().split('\n')};
  }

  #lay(columns: number, isBeside: boolean): readonly string[] {
    const {graphemes, look} = this.parts;
    const {paint} = look;
    return this.#read.flatMap((read, index) => {
      const title =
        read.title === undefined
          ? []
          : wrapPieces([{text: safeLine(read.title), style: 'strong' as const}], {
              columns,
              graphemes,
              byWords: true,
            }).map((row) => paintPieces(row, paint));
      const parts = {columns, paint, graphemes};
      const body =
        read.kind === 'lines'
          ? read.lines.flatMap((line) => wrapLine(line, {columns, graphemes, byWords: true}))
          : isBeside
            ? sideBySideRows(read.lines, parts)
            : unifiedRows(read.lines, parts);
      return [...(index > 0 ? [''] : []), ...title, ...body];
    });
  }
}
