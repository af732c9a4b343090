import {
  columnAfter,
  fitWidth,
  inputText,
  layoutInput,
  type Graphemes,
  type InputView,
  type Layout,
} from '@gemini-kernel/terminal';
import type {Screen} from '@gemini-kernel/plugin-agent/front';

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

const FALLBACK = {columns: 80, rows: 24};
const ESC = '\u001b[';

/** A terminal with cursor control: the last line, or the prompt, is redrawn when it changes. */
export class LiveScreen implements Screen {
  readonly isLive = true;
  /** The content of the line that `print` left open. */
  #open = '';
  /** The end of that line, for a screen width. */
  #end = {column: 0, columns: 0};
  #shown: Layout | undefined;
  #wanted: (() => Layout) | undefined;

  constructor(
    private readonly output: Output,
    private readonly graphemes: Graphemes,
  ) {}

  get columns(): number {
    return Math.max(2, this.output.columns || FALLBACK.columns);
  }

  get rows(): number {
    return Math.max(2, this.output.rows || FALLBACK.rows);
  }

  print(text: string): void {
    if (text === '') return;
    const erased = this.#erase();
    const lineFeed = text.lastIndexOf('\n');
    const piece = text.slice(lineFeed + 1);
    const column = columnAfter(piece, this.columns, this.graphemes, lineFeed < 0 ? this.#endColumn : 0);
    this.#open = lineFeed < 0 ? this.#open + piece : piece;
    this.#end = {column, columns: this.columns};
    this.output.write(erased + text + this.#draw());
  }

  endLine(): void {
    if (this.#open !== '') this.print('\n');
  }

  prompt(view: InputView | undefined, below?: string): void {
    this.#show(
      view &&
        (() => {
          if (below === undefined) return layoutInput(view, this.columns, this.rows - 1);
          const layout = layoutInput(view, this.columns, Math.max(1, this.rows - 2));
          return {...layout, rows: [...layout.rows, fitWidth(below, this.columns - 1, this.graphemes)]};
        }),
    );
  }

  keepPrompt(view: InputView): void {
    this.prompt(undefined);
    this.endLine();
    this.print(`${inputText(view)}\n`);
  }

  status(line: string | undefined): void {
    if (line === undefined) return this.#show(undefined);
    this.#show(() => {
      const row = fitWidth(line, this.columns - 1, this.graphemes);
      return {rows: [row], row: 0, column: Math.min(this.columns - 1, columnAfter(row, this.columns, this.graphemes))};
    });
  }

  clear(): void {
    this.#open = '';
    this.#shown = undefined;
    this.output.write(`${ESC}2J${ESC}H${this.#draw()}`);
  }

  refresh(): void {
    this.output.write(this.#erase() + this.#draw());
  }

  release(): void {
    this.prompt(undefined);
  }

  acquire(): void {
    // The next prompt is drawn where the cursor is.
  }

  #show(wanted: (() => Layout) | undefined): void {
    if (!wanted && !this.#wanted) return;
    this.#wanted = wanted && keepForSize(wanted, () => `${this.columns} ${this.rows}`);
    this.refresh();
  }

  /** Removes the bottom lines, and moves back to where printing continues. */
  #erase(): string {
    const shown = this.#shown;
    if (!shown) return '';
    this.#shown = undefined;
    const up = (count: number): string => (count > 0 ? `${ESC}${count}A` : '');
    const erased = `${up(shown.row)}\r${ESC}J`;
    if (this.#open === '') return erased;
    const column = this.#endColumn;
    // A full row continues in the next one, where the bottom lines started.
    return column >= this.columns ? erased : `${erased}${up(1)}${ESC}${column + 1}G`;
  }

  /** A window of another width has wrapped the line again. */
  get #endColumn(): number {
    if (this.#open === '') return 0;
    if (this.#end.columns !== this.columns)
      this.#end = {column: columnAfter(this.#open, this.columns, this.graphemes), columns: this.columns};
    return this.#end.column;
  }

  #draw(): string {
    if (!this.#wanted) return '';
    const layout = this.#wanted();
    this.#shown = layout;
    const down = layout.rows.length - 1 - layout.row;
    const back = `${down > 0 ? `${ESC}${down}A` : ''}\r${layout.column > 0 ? `${ESC}${layout.column}C` : ''}`;
    return `${this.#open === '' ? '' : '\n'}${layout.rows.join('\n')}${back}`;
  }
}

/** The same layout while the screen has the same size. */
function keepForSize(lay: () => Layout, sizeOf: () => string): () => Layout {
  let kept: {readonly size: string; readonly layout: Layout} | undefined;
  return () => {
    const size = sizeOf();
    if (kept?.size !== size) kept = {size, layout: lay()};
    return kept.layout;
  };
}
