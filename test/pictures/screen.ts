/** How a cell looks; colours are the numbers that SGR gives to them in the foreground: 30 to 37, and 90 to 97. */
export interface Look {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly struck: boolean;
  readonly inverse: boolean;
  readonly colour: number | undefined;
  readonly background: number | undefined;
}

/** One column of a row. The column after a wide character is an empty text. */
export interface Cell {
  readonly text: string;
  readonly look: Look;
}

export const PLAIN: Look = {
  bold: false,
  dim: false,
  italic: false,
  underlined: false,
  struck: false,
  inverse: false,
  colour: undefined,
  background: undefined,
};

const BLANK: Cell = {text: ' ', look: PLAIN};

/** What switches a part of a look on or off. */
const PARTS: Readonly<Record<number, Partial<Look>>> = {
  0: PLAIN,
  1: {bold: true},
  2: {dim: true},
  3: {italic: true},
  4: {underlined: true},
  7: {inverse: true},
  9: {struck: true},
  22: {bold: false, dim: false},
  23: {italic: false},
  24: {underlined: false},
  27: {inverse: false},
  29: {struck: false},
  39: {colour: undefined},
  49: {background: undefined},
};

/** One piece of terminal output: a sequence that ends with BEL or ST, a sequence of CSI, another escape, or a text. */
const PIECE =
  /\u001b\](?<title>[^\u0007\u001b]*)(?:\u0007|\u001b\\)|\u001b\[(?<given>[?>=]?[\d;]*)(?<act>[@-~])|(?<control>[\u0000-\u001f\u007f]|\u001b.?)|(?<text>[^\u0000-\u001f\u007f]+)/gu;

/** How many columns a character takes. */
function widthOf(character: string): 0 | 1 | 2 {
  if (/^[\p{M}\u200d\ufe0f]/u.test(character)) return 0;
  return /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(character)
    ? 2
    : 1;
}

/** The screen of a terminal: takes what a program writes, and refuses a sequence that it does not know. */
export class Screen {
  readonly #rows: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #look: Look = PLAIN;

  constructor(
    private readonly columns: number,
    private readonly height: number,
  ) {}

  /** The rows up to the last one that shows something, those that scrolled away among them. */
  get rows(): readonly (readonly Cell[])[] {
    const last = this.#rows.findLastIndex((row) => row.some(({text}) => text !== ' '));
    return this.#rows.slice(0, last + 1);
  }

  /** What the rows say. */
  get lines(): readonly string[] {
    return this.rows.map((row) =>
      row
        .map(({text}) => text)
        .join('')
        .trimEnd(),
    );
  }

  write(output: string): void {
    for (const {groups = {}} of output.matchAll(PIECE)) {
      const {text, control, act, given = ''} = groups;
      if (text !== undefined) for (const character of text) this.#put(character);
      else if (control !== undefined) this.#control(control);
      else if (act !== undefined) this.#act(act, given);
    }
  }

  #put(character: string): void {
    const width = widthOf(character);
    const row = this.#rowAt(this.#row);
    if (width === 0) {
      const before = row[this.#column - 1];
      if (before) row[this.#column - 1] = {...before, text: before.text + character};
      return;
    }
    if (this.#column + width > this.columns) {
      this.#column = 0;
      this.#row += 1;
      return this.#put(character);
    }
    while (row.length < this.#column) row.push(BLANK);
    row[this.#column] = {text: character, look: this.#look};
    if (width === 2) row[this.#column + 1] = {text: '', look: this.#look};
    this.#column += width;
  }

  #control(control: string): void {
    if (control === '\r') this.#column = 0;
    else if (control === '\n') this.#row += 1;
    else if (control === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (control === '\t') this.#column = Math.min(this.columns - 1, (Math.floor(this.#column / 8) + 1) * 8);
    else if (control !== '\u0007') throw new Error(`A picture cannot show ${JSON.stringify(control)}.`);
  }

  #act(act: string, given: string): void {
    // Modes change what keys mean, and whether the cursor shows: neither is in a picture.
    if (/^[?>=]/.test(given) || 'hlntc'.includes(act)) return;
    const [first = 0, second = 0] = given.split(';').map(Number);
    const count = Math.max(1, first);
    const acts: Readonly<Record<string, () => void>> = {
      A: () => (this.#row = Math.max(this.#top, this.#row - count)),
      B: () => (this.#row += count),
      C: () => (this.#column = Math.min(this.columns - 1, this.#column + count)),
      D: () => (this.#column = Math.max(0, this.#column - count)),
      G: () => (this.#column = count - 1),
      H: () => ([this.#row, this.#column] = [this.#top + count - 1, Math.max(1, second) - 1]),
      J: () => this.#eraseScreen(first),
      K: () => this.#eraseLine(first),
      m: () => this.#setLook(given.split(';').map(Number)),
    };
    const known = acts[act];
    if (!known) throw new Error(`A picture cannot show the sequence CSI ${given}${act}.`);
    known();
  }

  /** The first row that has not scrolled away. */
  get #top(): number {
    return Math.max(0, this.#rows.length - this.height);
  }

  #eraseLine(part: number): void {
    const row = this.#rowAt(this.#row);
    if (part === 0) row.splice(this.#column);
    else if (part === 2) row.splice(0);
    else row.fill(BLANK, 0, this.#column + 1);
  }

  #eraseScreen(part: number): void {
    if (part === 0) {
      this.#eraseLine(0);
      this.#rows.splice(this.#row + 1);
    } else if (part === 2 || part === 3) this.#rows.slice(this.#top).forEach((row) => row.splice(0));
    else throw new Error(`A picture cannot show the sequence CSI ${part}J.`);
  }

  #setLook(numbers: readonly number[]): void {
    for (const number of numbers) {
      const part = PARTS[number];
      const colour = number % 10 < 8 ? Math.floor(number / 10) : 0;
      if (part) this.#look = {...this.#look, ...part};
      else if (colour === 3 || colour === 9) this.#look = {...this.#look, colour: number};
      else if (colour === 4 || colour === 10) this.#look = {...this.#look, background: number - 10};
      else throw new Error(`A picture cannot show SGR ${numbers.join(';')}.`);
    }
  }

  #rowAt(index: number): Cell[] {
    for (;;) {
      const row = this.#rows[index];
      if (row) return row;
      this.#rows.push([]);
    }
  }
}
