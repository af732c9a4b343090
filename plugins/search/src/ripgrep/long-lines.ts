/** One line of output; of a very long one the beginning, and the number that stands after the text in it. */
export interface OutputLine {
  readonly head: Buffer;
  readonly isCut: boolean;
  /** Of a cut line: the value of its `line_number`. */
  readonly lineNumber?: number;
}

const LONGEST = 1 << 20;
const HEAD = 1 << 16;
/** Inside a JSON text quotes are escaped, so this stands only behind the text of the line. */
const MARK = '},"line_number":';
const NUMBER = 20;

/** Splits output into lines, whatever the pieces it comes in, and keeps no more of a line than can be used. */
export class LongLines {
  #parts: Buffer[] = [];
  #length = 0;
  #isCut = false;
  /** Where the mark may begin: the end of what was seen last, as Latin-1. */
  #window = '';
  #number: number | undefined;

  push(chunk: Buffer): readonly OutputLine[] {
    const lines: OutputLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      lines.push(this.#finish());
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
    return lines;
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    if (!this.#isCut && this.#length + part.length <= LONGEST) {
      this.#parts.push(part);
      this.#length += part.length;
      return;
    }
    if (!this.#isCut) {
      const all = Buffer.concat([...this.#parts, part]);
      this.#isCut = true;
      this.#parts = [Buffer.from(all.subarray(0, HEAD))];
      this.#search(all.subarray(HEAD - MARK.length));
    } else this.#search(part);
  }

  #search(part: Buffer): void {
    if (this.#number !== undefined) return;
    const text = this.#window + part.toString('latin1');
    const at = text.indexOf(MARK);
    const digits = at < 0 ? undefined : /^(\d+)\D/.exec(text.slice(at + MARK.length, at + MARK.length + NUMBER))?.[1];
    if (digits !== undefined) this.#number = Number(digits);
    else this.#window = at < 0 ? text.slice(-MARK.length) : text.slice(at, at + MARK.length + NUMBER);
  }

  #finish(): OutputLine {
    const [first] = this.#parts;
    const head = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    const line = {head, isCut: this.#isCut, ...(this.#number === undefined ? {} : {lineNumber: this.#number})};
    this.#parts = [];
    this.#length = 0;
    this.#isCut = false;
    this.#window = '';
    this.#number = undefined;
    return line;
  }
}
