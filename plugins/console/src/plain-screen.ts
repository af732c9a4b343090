import {inputText, widthOf, type InputView} from '@gemini-kernel/terminal';
import type {Screen} from '@gemini-kernel/plugin-agent/front';

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

/**
 * A terminal without escape sequences. Typing is echoed, and removed text is blanked by backspaces; where that is
 * impossible, the whole prompt is printed again on a new line.
 */
export class PlainScreen implements Screen {
  readonly isLive = false;
  #isOpen = false;
  #echoed: InputView | undefined;

  constructor(
    private readonly output: Output,
    private readonly echoes: boolean,
  ) {}

  get columns(): number {
    return Math.max(2, this.output.columns || 80);
  }

  get rows(): number {
    return Math.max(2, this.output.rows || 24);
  }

  print(text: string): void {
    if (text === '') return;
    if (this.#echoed) this.#write('\n');
    this.#echoed = undefined;
    this.#isOpen = !text.endsWith('\n');
    this.#write(text);
  }

  endLine(): void {
    if (this.#isOpen) this.print('\n');
  }

  prompt(view: InputView | undefined): void {
    if (!view) return;
    this.endLine();
    const echoed = this.#echoed;
    this.#echoed = view;
    if (!echoed) return this.#write(textUpToEnd(view));
    if (this.echoes) this.#write(changeOf(echoed, view, this.columns) ?? `\n${textUpToEnd(view)}`);
  }

  keepPrompt(view: InputView): void {
    if (this.echoes) this.prompt({...view, cursor: view.cells.length});
    if (this.#echoed && this.echoes) this.#write('\n');
    this.#echoed = undefined;
  }

  /** Changing lines are not shown here; their text is printed instead. */
  status(line: string | undefined): void {
    if (line === undefined) return;
    this.endLine();
  }

  clear(): void {
    this.refresh();
  }

  refresh(): void {
    const view = this.#echoed;
    if (!view) return;
    this.#echoed = undefined;
    this.print('\n');
    this.prompt(view);
  }

  release(): void {
    this.prompt(undefined);
  }

  acquire(): void {
    // The next prompt is printed where the cursor is.
  }

  #write(text: string): void {
    this.output.write(text);
  }
}

function textUpToEnd(view: InputView): string {
  return inputText(view) + back(view.cells.slice(view.cursor));
}

function back(cells: readonly string[]): string {
  return '\b'.repeat(widthOf(cells.join('')));
}

/** The output that turns one prompt into the other, if possible within its last row. */
function changeOf(from: InputView, to: InputView, columns: number): string | undefined {
  if (from.label !== to.label) return undefined;
  const differs = from.cells.findIndex((cell, index) => cell !== to.cells[index]);
  const same = differs < 0 ? from.cells.length : differs;
  const isEcho = same === from.cells.length && from.cursor === same;
  if (isEcho && to.cursor === to.cells.length)
    return to.cells
      .slice(same)
      .map((cell) => (cell === '\n' ? '\n  ' : cell))
      .join('');
  const [old, now] = [lastLine(from.cells), lastLine(to.cells)];
  const lost = from.cells.length - old.length;
  const isOneRow = [old, now].every((cells) => widthOf(cells.join('')) + widthOf(from.label) < columns);
  if (!isOneRow || lost !== to.cells.length - now.length || same < lost || from.cursor < lost || to.cursor < lost)
    return undefined;
  const start = Math.min(same, from.cursor);
  const toChange = back(from.cells.slice(start, from.cursor));
  const written = to.cells.slice(start).join('');
  const blanks = ' '.repeat(Math.max(0, widthOf(from.cells.slice(start).join('')) - widthOf(written)));
  return toChange + written + blanks + '\b'.repeat(blanks.length) + back(to.cells.slice(to.cursor));
}

function lastLine(cells: readonly string[]): readonly string[] {
  return cells.slice(cells.lastIndexOf('\n') + 1);
}
