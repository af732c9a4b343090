/** As much of a terminal as the console uses: it wraps, scrolls, and obeys the few sequences that move and erase. */
export class VirtualTerminal {
  /** Every row there ever was; a row that the terminal itself wrapped is marked. */
  #rows: {cells: string[]; isWrapped: boolean}[] = [{cells: [], isWrapped: false}];
  #top = 0;
  #row = 0;
  #column = 0;
  #isFull = false;
  /** Output that is not a sequence known here. */
  readonly unknown: string[] = [];

  constructor(
    readonly columns: number,
    readonly rows: number,
    private readonly widthOf: (text: string) => number,
  ) {}

  write(text: string): true {
    const tokens = text.match(/\u001b\[[?\d;]*[A-Za-z]|\u001b.|[\s\S]/gu) ?? [];
    for (const token of tokens) this.#token(token);
    return true;
  }

  /** Lines as they would be copied, without empty ones at the end. */
  get text(): string {
    let text = '';
    this.#rows.forEach((row, index) => {
      text +=
        (index === 0 || row.isWrapped ? '' : '\n') +
        row.cells
          .map((cell) => cell)
          .join('')
          .replace(/\0/g, '');
    });
    return text.replace(/ +$/gm, '').replace(/\n+$/, '');
  }

  get cursor(): {readonly row: number; readonly column: number} {
    return {row: this.#row, column: this.#column};
  }

  /** The text left of the cursor in its row. */
  get beforeCursor(): string {
    return (this.#rows[this.#row]?.cells.slice(0, this.#column) ?? [])
      .map((cell) => cell ?? ' ')
      .join('')
      .replace(/\0/g, '');
  }

  #token(token: string): void {
    if (token === '\n') this.#lineFeed(false);
    else if (token === '\r') this.#to(0);
    else if (token === '\b') this.#to(Math.max(0, this.#column - 1));
    else if (token.startsWith('\u001b')) this.#sequence(token);
    else this.#put(token);
  }

  #to(column: number): void {
    this.#column = Math.min(column, this.columns - 1);
    this.#isFull = false;
  }

  #lineFeed(isWrapped: boolean): void {
    this.#row += 1;
    this.#to(0);
    if (this.#row === this.#rows.length) this.#rows.push({cells: [], isWrapped});
    const row = this.#rows[this.#row];
    if (row && isWrapped) row.isWrapped = true;
    this.#top = Math.max(this.#top, this.#row - this.rows + 1);
  }

  #sequence(token: string): void {
    const [, parameter = '', final] = /^\u001b\[([?\d;]*)([A-Za-z])$/.exec(token) ?? [];
    const count = Number(parameter || '1');
    if (final === 'A') this.#row = Math.max(this.#top, this.#row - count);
    else if (final === 'B') this.#row = Math.min(this.#rows.length - 1, this.#row + count);
    else if (final === 'C') this.#to(this.#column + count);
    else if (final === 'G') this.#to(count - 1);
    else if (final === 'J' && parameter === '') {
      this.#rows.length = this.#row + 1;
      this.#rows[this.#row]!.cells.length = Math.min(this.#rows[this.#row]!.cells.length, this.#column);
      if (this.#column === 0) this.#rows[this.#row]!.isWrapped = false;
    } else if (final !== 'm') this.unknown.push(token);
    if (final === 'A' || final === 'B') this.#isFull = false;
  }

  #put(character: string): void {
    const width = character === '\t' ? 8 - (this.#column % 8) : this.widthOf(character);
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(character)) this.unknown.push(character);
    if (this.#isFull || this.#column + width > this.columns) this.#lineFeed(true);
    const cells = this.#rows[this.#row]!.cells;
    while (cells.length < this.#column) cells.push(' ');
    cells.splice(
      this.#column,
      width,
      ...(character === '\t'
        ? Array.from({length: width}, () => ' ')
        : [character, ...Array.from({length: Math.max(0, width - 1)}, () => '\0')]),
    );
    this.#column += width;
    if (this.#column >= this.columns) {
      this.#column = this.columns - 1;
      this.#isFull = true;
    }
  }
}
