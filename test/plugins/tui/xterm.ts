import headless from '@xterm/headless';
import {Graphemes} from '#kernel/terminal/dist/graphemes.js';
import {InlineScreen} from '#plugins/tui/dist/screen/inline-screen.js';

const {Terminal} = headless;

export interface XtermOptions {
  readonly columns: number;
  readonly rows: number;
  readonly hasRegions?: boolean;
}

/** A real terminal emulator, and a screen that writes to it. */
export class Xterm {
  readonly screen: InstanceType<typeof InlineScreen>;
  readonly #terminal: InstanceType<typeof Terminal>;
  readonly #answers: string[] = [];
  #written = '';
  /** How many characters the screen has written. */
  count = 0;

  constructor({columns, rows, hasRegions = true}: XtermOptions) {
    const terminal = new Terminal({
      cols: columns,
      rows,
      scrollback: 100_000,
      allowProposedApi: true,
      convertEol: true,
    });
    terminal.onData((answer) => this.#answers.push(answer));
    this.#terminal = terminal;
    this.screen = new InlineScreen({
      output: {
        write: (text) => {
          this.#written += text;
          this.count += text.length;
        },
        get columns() {
          return terminal.cols;
        },
        get rows() {
          return terminal.rows;
        },
      },
      graphemes: new Graphemes(),
      hasRegions,
      reflow: 'shifted',
      now: () => performance.now(),
    });
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  /** What another program writes. */
  async write(text: string): Promise<void> {
    await new Promise<void>((resolve) => this.#terminal.write(text, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** Shows what the screen has written; the answers of the terminal come with the next `settle`. */
  async showOnly(): Promise<void> {
    const text = this.#written;
    this.#written = '';
    await this.write(text);
  }

  /** Shows what the screen has written, in pieces of `size`, and delivers answers until nothing is left. */
  async settle({size, onPiece}: {readonly size?: number; readonly onPiece?: () => void} = {}): Promise<void> {
    for (;;) {
      const text = this.#written;
      this.#written = '';
      for (let at = 0; at < text.length; at += size ?? text.length) {
        await this.write(text.slice(at, at + (size ?? text.length)));
        onPiece?.();
      }
      const answers = this.#answers.splice(0);
      for (const answer of answers) this.screen.position(Number(/(\d+);\d+R/.exec(answer)?.[1]));
      if (this.#written === '' && answers.length === 0) return;
    }
  }

  /** The rows of the window. */
  get window(): readonly string[] {
    const {baseY} = this.#terminal.buffer.normal;
    return Array.from({length: this.#terminal.rows}, (_, row) => this.#row(baseY + row));
  }

  get cursor(): {readonly row: number; readonly column: number} {
    const {cursorX, cursorY} = this.#terminal.buffer.normal;
    return {row: cursorY, column: cursorX};
  }

  /** Lines from the start of the scrollback to `row` of the window; rows that the terminal wrapped are one line. */
  linesAbove(row: number): readonly string[] {
    const buffer = this.#terminal.buffer.normal;
    const lines: string[] = [];
    for (let at = 0; at < buffer.baseY + row; at += 1) {
      const text = buffer.getLine(at)?.translateToString(false) ?? '';
      if (buffer.getLine(at)?.isWrapped === true && lines.length > 0) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }

  #row(at: number): string {
    return (this.#terminal.buffer.normal.getLine(at)?.translateToString(false) ?? '').trimEnd();
  }
}
