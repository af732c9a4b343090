import {columnAfter, paragraphMark, widthOf, type Graphemes} from '@gemini-kernel/terminal';

/** Text that can be written now. */
export interface Flowed {
  readonly text: string;
  /** It starts on the row below the text before it. */
  readonly isNewLine: boolean;
  /** How many rows it starts. */
  readonly rows: number;
  /** The column in which it ends; 0 also where the next text starts a line. */
  readonly column: number;
}

const TOKEN = /\u001b\[[\d;]*m|\n|[ \t]+|[^ \t\n\u001b]+|\u001b/g;
const STYLE = /\u001b\[([\d;]*)m/g;
/** Codes that end a style. */
const ENDS = /^(?:2[2-9]|[34]9)$/;
const PLAIN = /^[\u0021-\u007e]*$/;
/** Characters whose width terminals disagree about: joined emoji, flags, skin tones, and scripts of India. */
const UNCERTAIN = /[\u0900-\u0dff\u200d\ufe0e\ufe0f\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
/** Punctuation that does not start a row. */
const CLOSING = /^[、。，．・：；？！」』】）〉》]/;

/**
 * Places printed text on rows of the terminal. The terminal wraps every line, so that a copy of it is one line: a row
 * of a paragraph is filled with blanks up to the margin when its next word does not fit. Text that ends exactly at the
 * margin is kept until it continues, because terminals differ in where the cursor then is; so is, until its end, a line
 * whose width they disagree about.
 */
export class Flow {
  /** The column after all text, including text that is not written yet. */
  #column = 0;
  /** Blanks at the start of further rows of a paragraph; undefined: the line is no paragraph. */
  #hang: number | undefined;
  #blank = '';
  #word = '';
  #wordWidth = 0;
  /** Text that is laid out but not written, the rows it starts, and how much of it can be written. */
  #ready = '';
  #rows = 0;
  #safe = {length: 0, rows: 0, column: 0};
  /** A line end is written with the text after it, so that no row stays empty at the end. */
  #owesLine = true;
  /** The line was continued on a row of its own, which is still empty. */
  #isBroken = false;
  /** Whether terminals disagree about the width of the line. */
  #isUncertain = false;
  /** How many styles are open in the text that is laid out: it is written when they are closed. */
  #styles = 0;

  constructor(
    private readonly graphemes: Graphemes,
    private readonly columns: () => number,
  ) {}

  /** Whether the last line continues. */
  get isOpen(): boolean {
    return this.#column > 0 || this.#word !== '' || this.#blank !== '';
  }

  /** Adds text, which may end within a word. */
  push(text: string): void {
    let from = 0;
    for (const mark of text.matchAll(paragraphMark)) {
      this.#add(text.slice(from, mark.index));
      this.#hang = Number(mark[1]);
      from = mark.index + mark[0].length;
    }
    this.#add(text.slice(from));
  }

  /** Takes the text that can be written now; undefined: none. */
  take(): Flowed | undefined {
    const {length, rows, column} = this.#safe;
    if (length === 0) return undefined;
    const text = this.#ready.slice(0, length);
    const isNewLine = this.#owesLine;
    this.#owesLine = text.endsWith('\n');
    this.#ready = this.#ready.slice(length);
    this.#rows -= rows;
    this.#safe = {length: 0, rows: 0, column};
    const started = rows + (isNewLine ? 1 : 0) - (this.#owesLine ? 1 : 0);
    return {text: this.#owesLine ? text.slice(0, -1) : text, isNewLine, rows: started, column};
  }

  /** The next text starts on a row of its own: where the last row ends is no longer known. */
  breakLine(): void {
    this.#isBroken = this.#column > 0;
    this.#owesLine = true;
    this.#column = 0;
    this.#rows = 0;
    this.#styles = 0;
    const ready = this.#ready;
    this.#ready = '';
    this.#safe = {length: 0, rows: 0, column: 0};
    const hang = this.#hang;
    this.#hang = undefined;
    for (const [piece] of ready.matchAll(/\n|[^\n]+/g)) {
      if (piece === '\n') this.#newLine();
      else this.#verbatim(piece);
    }
    this.#hang = hang;
  }

  #add(text: string): void {
    if (text === '') return;
    if (this.#hang === undefined && !text.includes('\n')) return this.#verbatim(text);
    for (const [token] of text.matchAll(TOKEN)) {
      if (token === '\n') this.#endLine();
      else if (this.#hang === undefined) this.#verbatim(token);
      else this.#flow(token);
    }
  }

  #endLine(): void {
    this.#commit();
    this.#blank = '';
    this.#hang = undefined;
    this.#newLine();
  }

  #newLine(): void {
    if (this.#isBroken && this.#column === 0) {
      this.#isBroken = false;
      return;
    }
    this.#ready += '\n';
    this.#rows += 1;
    this.#column = 0;
    this.#isUncertain = false;
    this.#mark();
  }

  /** Text of a line that is no paragraph. */
  #verbatim(text: string): void {
    this.#isUncertain ||= UNCERTAIN.test(text);
    const columns = this.columns();
    const total = columnAfter(text, columns, this.graphemes, this.#column);
    this.#rows += rowsOf(text, {columns, graphemes: this.graphemes, from: this.#column});
    this.#ready += text;
    this.#column = total;
    this.#countStyles(text);
    this.#mark();
  }

  #flow(token: string): void {
    if (token.startsWith('\u001b')) this.#word += token;
    else if (/^[ \t]/.test(token)) {
      this.#commit();
      this.#blank += token.replaceAll('\t', '    ');
    } else if (PLAIN.test(token)) {
      this.#word += token;
      this.#wordWidth += token.length;
    } else this.#flowWide(token);
  }

  /** A row can end before and after a wide character. */
  #flowWide(token: string): void {
    this.#isUncertain ||= UNCERTAIN.test(token);
    for (const one of this.graphemes.split(token)) {
      const width = widthOf(one);
      const isWide = width === 2;
      if (isWide && !CLOSING.test(one)) this.#commit();
      this.#word += one;
      this.#wordWidth += width;
    }
  }

  /** Places a whole word. */
  #commit(): void {
    if (this.#word === '') return;
    const columns = this.columns();
    const width = widthOf(this.#blank) + this.#wordWidth;
    const hang = Math.min(this.#hang ?? 0, Math.floor(columns / 2));
    if (this.#column + width <= columns) this.#place(this.#blank, this.#column + width);
    else if (this.#wordWidth <= columns - hang) {
      this.#rows += 1;
      this.#place(' '.repeat(Math.max(0, columns - this.#column) + hang), hang + this.#wordWidth);
    } else {
      const text = this.#blank + this.#word;
      this.#rows += rowsOf(text, {columns, graphemes: this.graphemes, from: this.#column});
      this.#place(this.#blank, columnAfter(text, columns, this.graphemes, this.#column));
    }
    this.#blank = '';
  }

  #place(before: string, column: number): void {
    this.#ready += before + this.#word;
    this.#countStyles(this.#word);
    this.#word = '';
    this.#wordWidth = 0;
    this.#column = column;
    this.#mark();
  }

  #countStyles(text: string): void {
    for (const [, code = ''] of text.matchAll(STYLE)) {
      if (code === '' || code === '0') this.#styles = 0;
      else this.#styles = Math.max(0, this.#styles + (ENDS.test(code) ? -1 : 1));
    }
  }

  /** Everything up to here can be written, unless it ends at the margin. */
  #mark(): void {
    if (this.#styles > 0 || this.#isUncertain || this.#column >= this.columns()) return;
    this.#safe = {length: this.#ready.length, rows: this.#rows, column: this.#column};
  }
}

interface Place {
  readonly columns: number;
  readonly graphemes: Graphemes;
  readonly from: number;
}

/** How many further rows a text without line ends needs. */
function rowsOf(text: string, {columns, graphemes, from}: Place): number {
  const bare = text.replace(/\u001b\[[\d;]*m/g, '');
  if (/^[\u0020-\u007e]*$/.test(bare)) return Math.max(0, Math.ceil((from + bare.length) / columns) - 1);
  let rows = 0;
  let column = from;
  for (const one of graphemes.split(bare)) {
    const width = one === '\t' ? columnAfter('\t', columns, graphemes, column) - column : widthOf(one);
    if (column + width > columns) {
      rows += 1;
      column = 0;
    }
    column += width;
  }
  return rows;
}
