const NEWLINE = 0x0a;

/** Splits bytes into lines, each at most so long. A longer line is dropped whole, and reported once. */
export class Lines {
  #parts: Buffer[] = [];
  #size = 0;
  #isDropping = false;

  constructor(
    private readonly most: number,
    private readonly onLine: (line: string) => void,
    private readonly onTooLong: () => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, at));
      this.#end();
      start = at + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#isDropping) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= this.most) return;
    this.#isDropping = true;
    this.#parts = [];
    this.onTooLong();
  }

  #end(): void {
    const line = this.#isDropping ? '' : Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, '');
    this.#parts = [];
    this.#size = 0;
    this.#isDropping = false;
    if (line.trim() !== '') this.onLine(line);
  }
}
