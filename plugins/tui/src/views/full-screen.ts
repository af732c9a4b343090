import type {Layout} from '@gemini-kernel/terminal';
import {alternate} from '../screen/alternate.js';
import {synchronised} from '../screen/floating.js';
import {changeRows} from '../screen/live-rows.js';
import type {ScreenOutput} from '../screen/inline-screen.js';
import type {TerminalScreen} from '../terminal-screen.js';

interface FullParts {
  readonly output: ScreenOutput;
  /** The screen that is there again afterwards. */
  readonly screen: TerminalScreen;
  readonly lay: (columns: number, rows: number) => Layout;
}

/** The alternate screen of a terminal: rows that are rewritten where they change. History stays as it is behind it. */
export class FullScreen {
  #shown: readonly string[] = [];
  #size = {columns: 0, rows: 0};
  #isOpen = false;

  constructor(private readonly parts: FullParts) {}

  /** Takes the whole window, or draws it again. */
  redraw(): void {
    const {output} = this.parts;
    if (!this.#isOpen) this.#enter();
    this.#isOpen = true;
    this.#size = {columns: Math.max(8, output.columns || 80), rows: Math.max(3, output.rows || 24)};
    this.#shown = [];
    this.#draw(true);
  }

  draw(): void {
    if (this.#isOpen) this.#draw(false);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const {output, screen} = this.parts;
    if (screen.cover) return screen.cover(false);
    output.write(alternate.leave);
    screen.acquire();
  }

  #enter(): void {
    const {output, screen} = this.parts;
    if (screen.cover) return screen.cover(true);
    screen.release();
    output.write(alternate.enter);
  }

  #draw(isWhole: boolean): void {
    const {columns, rows} = this.#size;
    // The last column stays empty: terminals differ in where the cursor then is.
    const layout = this.parts.lay(columns - 1, rows);
    const changed = isWhole
      ? layout.rows.map((text, index) => `\u001b[${index + 1};1H${text}\u001b[K`).join('')
      : changeRows({top: 1, rows: this.#shown}, {top: 1, rows: layout.rows});
    const cursor = `\u001b[${layout.row + 1};${layout.column + 1}H`;
    this.#shown = layout.rows;
    this.parts.output.write(synchronised(changed + cursor));
  }
}
