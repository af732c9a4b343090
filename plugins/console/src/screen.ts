import {columnAfter, inputText, layoutInput, type Layout} from './layout.js';
import type {Graphemes} from './graphemes.js';
import {fitWidth} from './graphemes.js';
import type {InputView} from './line-input.js';

/** Where a conversation is shown. What is printed stays; at most the last lines are drawn again. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Whether the last line can change while one looks at it. */
  readonly isLive: boolean;
  /** Prints text for good; it may end within a line, and go on later. */
  print(text: string): void;
  /** Ends a line that was left open. */
  endLine(): void;
  /**
   * Shows the prompt at the bottom, and a line under it where that can be taken away again; undefined takes both away.
   */
  prompt(view: InputView | undefined, below?: string): void;
  /** Leaves the prompt standing for good. */
  keepPrompt(view: InputView): void;
  /** Shows one line at the bottom for as long as it is true. */
  status(line: string | undefined): void;
  /** Starts with an empty screen; what was printed stays in the terminal's memory. */
  clear(): void;
  /** The terminal has another size, or somebody else wrote on it. */
  refresh(): void;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

const FALLBACK = {columns: 80, rows: 24};
const ESC = '\u001b[';

/** A terminal that can be told where to write: the last line, or the prompt, is drawn again as it changes. */
export class LiveScreen implements Screen {
  readonly isLive = true;
  /** What stands in the line that `print` left open. */
  #open = '';
  /** Where that line ends on a screen of so many columns. */
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

  #show(wanted: (() => Layout) | undefined): void {
    if (!wanted && !this.#wanted) return;
    this.#wanted = wanted && keepForSize(wanted, () => `${this.columns} ${this.rows}`);
    this.refresh();
  }

  /** Takes the bottom lines away and goes back to where printing goes on. */
  #erase(): string {
    const shown = this.#shown;
    if (!shown) return '';
    this.#shown = undefined;
    const up = (count: number): string => (count > 0 ? `${ESC}${count}A` : '');
    const erased = `${up(shown.row)}\r${ESC}J`;
    if (this.#open === '') return erased;
    const column = this.#endColumn;
    // A row that is full goes on in the next one, which is where the bottom lines began.
    return column >= this.columns ? erased : `${erased}${up(1)}${ESC}${column + 1}G`;
  }

  /** A window of another width has wrapped the line anew. */
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

/** The same layout as long as the screen has the same size. */
function keepForSize(lay: () => Layout, sizeOf: () => string): () => Layout {
  let kept: {readonly size: string; readonly layout: Layout} | undefined;
  return () => {
    const size = sizeOf();
    if (kept?.size !== size) kept = {size, layout: lay()};
    return kept.layout;
  };
}
