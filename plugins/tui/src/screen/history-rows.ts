import {openAfter, wrapLine} from '@gemini-kernel/plugin-agent/front/views';
import {paragraphMark, withoutStyle, type Graphemes} from '@gemini-kernel/terminal';

/** A row of the history: the row of a line, both counted from 0. */
export interface RowPlace {
  readonly line: number;
  readonly row: number;
}

interface Line {
  text: string;
  /** Blanks at the start of further rows of a paragraph; undefined: the line is no paragraph. */
  hang: number | undefined;
  /** The colours that are open at its start. */
  readonly open: string;
  rows: readonly string[] | undefined;
}

/** What was printed, as lines; their rows are laid out when they are first looked at. */
export class HistoryRows {
  readonly #lines: Line[] = [{text: '', hang: undefined, open: '', rows: undefined}];
  #columns = 80;

  constructor(private readonly graphemes: Graphemes) {}

  /** The number of lines; an empty one at the end does not count. */
  get count(): number {
    return this.#lines.length - (this.isOpen ? 0 : 1);
  }

  /** Whether the last line continues. */
  get isOpen(): boolean {
    return this.#lines.at(-1)?.text !== '';
  }

  /** Lays rows out for another width from now on. */
  fit(columns: number): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    for (const line of this.#lines) line.rows = undefined;
  }

  /** Adds text, which may end within a line. */
  push(text: string): void {
    const [first = '', ...further] = text.split('\n');
    this.#add(first);
    for (const part of further) {
      const last = this.#lines.at(-1);
      this.#lines.push({text: '', hang: undefined, open: openAfter(last?.text ?? '', last?.open), rows: undefined});
      this.#add(part);
    }
  }

  #add(text: string): void {
    const last = this.#lines.at(-1);
    if (!last || text === '') return;
    for (const [, hang] of text.matchAll(paragraphMark)) last.hang = Number(hang);
    last.text += text.replace(paragraphMark, '');
    last.rows = undefined;
  }

  /** The rows of a line. */
  rowsOf(index: number): readonly string[] {
    const line = this.#lines[index];
    if (!line) return [];
    const hang = Math.min(line.hang ?? 0, Math.floor(this.#columns / 2));
    return (line.rows ??= wrapLine(line.text, {
      ...{columns: this.#columns, graphemes: this.graphemes, hang, open: line.open},
      byWords: line.hang !== undefined,
    }));
  }

  /** The place some rows before another one, or the first one. */
  back({line, row}: RowPlace, count: number): RowPlace {
    let at = line;
    let left = row - count;
    while (left < 0 && at > 0) {
      at -= 1;
      left += this.rowsOf(at).length;
    }
    return {line: at, row: Math.max(0, left)};
  }

  /** The place some rows after another one, or the end. */
  on({line, row}: RowPlace, count: number): RowPlace {
    let at = line;
    let left = row + count;
    while (at < this.count && left >= this.rowsOf(at).length) {
      left -= this.rowsOf(at).length;
      at += 1;
    }
    return at < this.count ? {line: at, row: left} : this.end;
  }

  /** The place below the last row. */
  get end(): RowPlace {
    return {line: this.count, row: 0};
  }

  /** At most so many rows from a place on. */
  take(from: RowPlace, most: number): readonly string[] {
    const rows: string[] = [];
    for (let at = from.line; at < this.count && rows.length < most; at += 1)
      rows.push(...this.rowsOf(at).slice(at === from.line ? from.row : 0, undefined));
    return rows.slice(0, most);
  }

  /** How many rows there are from a place on. */
  countFrom({line, row}: RowPlace): number {
    let count = -row;
    for (let at = line; at < this.count; at += 1) count += this.rowsOf(at).length;
    return Math.max(0, count);
  }

  /** The next line before or after another one that contains a text, whatever its case; undefined: none does. */
  find(text: string, from: number, step: 1 | -1): number | undefined {
    const needle = text.toLowerCase();
    for (let at = from; at >= 0 && at < this.count; at += step) if (this.#plainOf(at).includes(needle)) return at;
    return undefined;
  }

  #plainOf(index: number): string {
    return withoutStyle(this.#lines[index]?.text ?? '').toLowerCase();
  }
}
