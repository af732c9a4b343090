/** Lines are counted as editors do: a final line end closes the last line and opens none. */
export interface ScannedLines {
  /** The bytes of the wanted lines, line ends included. */
  readonly bytes: Buffer;
  readonly total: number;
}

/** How a line end looks: code units of `unit` bytes, of which the line feed is one. */
export interface LineUnit {
  readonly unit: 1 | 2 | 4;
  readonly bigEndian: boolean;
}

/**
 * Finds the lines `first` to `last` (counted from 1) in content that is added piece by piece; what is outside them is
 * counted but not kept. Pieces start at a multiple of 4 bytes of the content and may be reused after `add`.
 */
export class LineScan {
  readonly #first: number;
  readonly #last: number;
  readonly #unit: LineUnit;
  readonly #kept: Buffer[] = [];
  #line = 1;
  #unended = false;
  #keptBytes = 0;

  constructor(first: number, last: number, unit: LineUnit) {
    this.#first = first;
    this.#last = last;
    this.#unit = unit;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Whether the last wanted line has ended, so that what follows is only counted. */
  get isPast(): boolean {
    return this.#line > this.#last;
  }

  add(piece: Buffer): void {
    const first = this.#first;
    const last = this.#last;
    const {unit} = this.#unit;
    let line = this.#line;
    let position = 0;
    let keepFrom = line >= first && line <= last ? 0 : -1;
    // The next line at whose start something is to do; all others are only counted.
    let next = line < first ? first : last + 1;
    for (;;) {
      const end = unit === 1 ? piece.indexOf(10, position) : this.#wideLineEnd(piece, position);
      if (end === -1) break;
      position = end + unit;
      if (++line !== next) continue;
      if (line === first) {
        keepFrom = position;
        next = last + 1;
      } else {
        this.#keep(piece.subarray(keepFrom, position));
        keepFrom = -1;
      }
    }
    if (keepFrom !== -1) this.#keep(piece.subarray(keepFrom));
    this.#unended = position === 0 ? this.#unended || piece.length > 0 : position < piece.length;
    this.#line = line;
  }

  finish(): ScannedLines {
    return {bytes: Buffer.concat(this.#kept), total: this.#line - 1 + (this.#unended ? 1 : 0)};
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.length;
  }

  #wideLineEnd(piece: Buffer, from: number): number {
    const {unit, bigEndian} = this.#unit;
    const place = bigEndian ? unit - 1 : 0;
    for (let at = piece.indexOf(10, from); at !== -1; at = piece.indexOf(10, at + 1)) {
      const start = at - place;
      if (start % unit !== 0 || start + unit > piece.length) continue;
      if (piece.subarray(start, start + unit).every((byte, index) => byte === (index === place ? 10 : 0))) return start;
    }
    return -1;
  }
}
