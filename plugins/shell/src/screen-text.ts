const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const TOKEN = new RegExp(
  [
    '\\u001b\\[([0-?]*)[ -/]*([@-~])',
    // Titles, links, images and the like, up to their end or the end of the line.
    '\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]',
    '[\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f]',
    '([^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f]+)',
  ].join('|'),
  'gu',
);
/** An incomplete escape sequence that the next piece of output may complete. */
const OPEN_ESCAPE = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\n]*\u001b?|[ -/]*)?$/;
const FARTHEST = 500;

/**
 * What a terminal of endless height would show after some output: returns and erasures applied, other control
 * sequences dropped.
 */
export function screenText(output: string): string {
  const text = output.replaceAll('\r\n', '\n');
  if (!OBEYED.test(text)) return text;
  const screen = new Screen();
  for (const [token, parameters, final, shown] of text.matchAll(TOKEN)) {
    if (shown !== undefined) screen.write(shown);
    else if (final !== undefined) screen.control(final, parameters ?? '');
    else screen.obey(token);
  }
  return screen.text();
}

/** The length of an unfinished escape sequence at the end of a piece of output. */
export function openEscapeLength(output: string): number {
  return OPEN_ESCAPE.exec(output.slice(-FARTHEST))?.[0].length ?? 0;
}

class Screen {
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  get #line(): string[] {
    return (this.#rows[this.#row] ??= []);
  }

  write(text: string): void {
    const line = this.#line;
    while (line.length < this.#column) line.push(' ');
    for (const character of text) line[this.#column++] = character;
  }

  /** Other control characters and sequences are ignored. */
  obey(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (/^[\n\v\f]$/.test(character)) {
      this.#row += 1;
      this.#column = 0;
      if (this.#row === this.#rows.length) this.#rows.push([]);
    }
  }

  control(final: string, parameters: string): void {
    const given = Number.parseInt(parameters, 10) || 0;
    const steps = Math.min(Math.max(1, given), FARTHEST);
    switch (final) {
      case 'A':
        return this.#up(steps);
      case 'B':
        return this.#down(steps);
      case 'C':
        // At most a wide window, so that a few bytes cannot become many.
        this.#column = Math.min(this.#column + steps, Math.max(this.#column, this.#line.length, FARTHEST));
        return;
      case 'D':
        this.#column = Math.max(0, this.#column - steps);
        return;
      case 'E':
        this.#column = 0;
        return this.#down(steps);
      case 'F':
        this.#column = 0;
        return this.#up(steps);
      case 'G':
        this.#column = steps - 1;
        return;
      case 'J':
        return given === 0 ? this.#eraseBelow() : undefined;
      case 'K':
        return this.#eraseLine(given);
    }
  }

  text(): string {
    return this.#rows.map((row) => row.join('')).join('\n');
  }

  #up(steps: number): void {
    this.#row = Math.max(0, this.#row - steps);
  }

  #down(steps: number): void {
    this.#row = Math.min(this.#rows.length - 1, this.#row + steps);
  }

  #eraseBelow(): void {
    this.#eraseLine(0);
    this.#rows.length = this.#row + 1;
  }

  #eraseLine(which: number): void {
    const line = this.#line;
    if (which === 0) line.length = Math.min(line.length, this.#column);
    else if (which === 1) line.fill(' ', 0, this.#column + 1);
    else if (which === 2) line.length = 0;
  }
}
