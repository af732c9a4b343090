import type {Graphemes} from '@gemini-kernel/terminal';
import {composeAnchored} from './anchored.js';
import {Flow} from './flow.js';
import type {HistoryScreen} from './history-screen.js';
import {composeFloating, drawRows, eraseRows, rowsAbove, synchronised, type Reflow} from './floating.js';
import {EMPTY, fitView, sameView, type LiveView} from './live-view.js';

export interface ScreenOutput {
  write(text: string): unknown;
  readonly columns?: number;
  readonly rows?: number;
}

export interface ScreenParts {
  readonly output: ScreenOutput;
  readonly graphemes: Graphemes;
  /** Whether rows that leave a scroll region at the top of the screen reach the scrollback. */
  readonly hasRegions: boolean;
  /** Which shown rows the terminal wraps again when its window becomes narrower. */
  readonly reflow: Reflow;
  now(): number;
}

const ASK_POSITION = '\u001b[6n';
export const FRAME_MS = 33;
/** How long nothing is drawn while the terminal says where the cursor is. */
const ANSWER_MS = 300;
const LONGEST_ANSWER_MS = 2000;
/** How long a window must keep its size: while it changes, the place of its rows is unknown. */
const RESIZE_MS = 50;
/** Rows of the screen that history keeps. */
export const LEAST_HISTORY = 3;

/**
 * The normal screen of a terminal. History is printed once and belongs to the terminal. The live rows below it are
 * rewritten where they change.
 *
 * Where the live rows are known (anchored), history enters through a scroll region above them. Else, as on terminals
 * without usable regions, the live rows are erased, and drawn again below the new text.
 */
export class InlineScreen implements HistoryScreen {
  readonly #flow: Flow;
  #size: {readonly columns: number; readonly rows: number};
  #isHeld = false;
  #shown = EMPTY;
  #wanted = EMPTY;
  /** The row of the first live row, counted from 1. */
  #top: number | undefined;
  /** Whether the terminal has saved where history ends. */
  #isSaved = false;
  /** Where history ends on its last row. */
  #column = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFrame = -Infinity;
  #question: {readonly timer: NodeJS.Timeout; readonly from: number} | undefined;
  /** How many answers are still to come. */
  #due = 0;
  /** An unanswered question, since when. */
  #missed: number | undefined;
  #patience = ANSWER_MS;
  /** The window is changing its size, and nothing is drawn. */
  #resizing: {readonly timer: NodeJS.Timeout; readonly lay: () => LiveView; readonly leastRows: number} | undefined;

  constructor(private readonly parts: ScreenParts) {
    this.#size = sizeOf(parts.output);
    this.#flow = new Flow(parts.graphemes, () => this.#size.columns);
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** The number of live rows that fit. */
  get mostRows(): number {
    return Math.max(1, this.#size.rows - LEAST_HISTORY);
  }

  get isAnchored(): boolean {
    return this.#top !== undefined;
  }

  /** Takes the terminal: at the start, and after another program wrote to it, which may have left an open line. */
  acquire({afterOthers = false} = {}): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#size = sizeOf(this.parts.output);
    this.#wanted = fitView(this.#wanted, this.mostRows);
    // Blanks fill an open line, and otherwise change nothing.
    if (afterOthers) this.parts.output.write(`${' '.repeat(this.columns - 1)}\r`);
    this.#shown = this.#wanted;
    this.parts.output.write(eraseRows(EMPTY) + drawRows(this.#shown));
    this.#ask();
  }

  /** Removes the live rows; the cursor is then at the start of an empty row below history. */
  release(): void {
    if (!this.#isHeld) return;
    this.#endResize();
    this.#stopAsking();
    this.#draw();
    this.parts.output.write(eraseRows(this.#shown, this.#top));
    this.#isHeld = false;
    this.#forget();
  }

  /** Prints text permanently; it may end within a line, and continue later. */
  print(text: string): void {
    if (text === '') return;
    this.#flow.push(text);
    this.#schedule();
  }

  /** Ends an open line. */
  endLine(): void {
    if (this.#flow.isOpen) this.print('\n');
  }

  /** Shows these live rows from now on. */
  show(view: LiveView): void {
    this.#wanted = fitView(view, this.mostRows);
    this.#draw();
  }

  /** Draws what was printed. */
  flush(): void {
    this.#endResize();
    this.#draw();
  }

  /** The terminal reports the row of the cursor. */
  position(row: number): void {
    this.#due = Math.max(0, this.#due - 1);
    // An earlier question was given up: its answer says where the live rows were then.
    if (this.#due > 0) return;
    if (this.#question === undefined) return this.#answerLate();
    this.#stopAsking();
    const top = row - this.#shown.row;
    if (top >= 1 && top + this.#shown.rows.length - 1 <= this.rows) this.#top = top;
    this.#draw();
  }

  /** The window has another size, for which `lay` gives the live rows. */
  resize(lay: () => LiveView): void {
    if (!this.#isHeld) return;
    this.#stopAsking();
    clearTimeout(this.#resizing?.timer);
    // A window that was lower for a moment has dropped rows below the cursor.
    const leastRows = Math.min(this.#resizing?.leastRows ?? this.rows, sizeOf(this.parts.output).rows);
    this.#resizing = {lay, leastRows, timer: setTimeout(() => this.#endResize(), RESIZE_MS)};
  }

  #endResize(): void {
    if (!this.#resizing) return;
    const {lay, leastRows} = this.#resizing;
    clearTimeout(this.#resizing.timer);
    this.#resizing = undefined;
    const below = this.#top === undefined ? 0 : this.rows - (this.#top + this.#shown.rows.length - 1);
    const lost = Math.max(0, this.rows - leastRows - below);
    const above = rowsAbove(this.#shown, {reflow: this.parts.reflow, columns: sizeOf(this.parts.output).columns, lost});
    this.#size = sizeOf(this.parts.output);
    this.#forget();
    this.#wanted = fitView(lay(), this.mostRows);
    this.parts.output.write(synchronised(eraseRows({...this.#shown, row: above}) + drawRows(this.#wanted)));
    this.#shown = this.#wanted;
    this.#ask();
  }

  /** Moves everything above the live rows into the scrollback. */
  clear(): void {
    if (!this.#isHeld) return;
    this.#endResize();
    this.#draw();
    const {row, column} = this.#shown;
    const scrolled = (count: number): string => `\u001b[${this.rows};1H${'\n'.repeat(count)}`;
    const cursor = `\u001b[${1 + row};${column + 1}H`;
    if (this.#top !== undefined) this.parts.output.write(scrolled(this.#top - 1) + cursor);
    else this.parts.output.write(`${eraseRows(this.#shown)}${scrolled(this.rows)}\u001b[H${drawRows(this.#shown)}`);
    this.#forget();
    if (this.parts.hasRegions) this.#top = 1;
  }

  #forget(): void {
    this.#top = undefined;
    this.#isSaved = false;
    this.#flow.breakLine();
  }

  #ask(): void {
    if (!this.parts.hasRegions || this.rows < 2 * LEAST_HISTORY) return;
    const timer = setTimeout(() => this.#giveUp(), this.#patience);
    this.#question = {timer, from: this.parts.now()};
    this.#due += 1;
    this.parts.output.write(ASK_POSITION);
  }

  #giveUp(): void {
    this.#missed = this.#question?.from;
    // Another program that had the terminal may have read the other answers.
    this.#due = 0;
    this.#stopAsking();
    this.#draw();
  }

  /** A distant terminal answers slowly: it is asked once more, with more patience. */
  #answerLate(): void {
    if (this.#missed === undefined || !this.#isHeld || this.#resizing) return;
    this.#patience = Math.min(LONGEST_ANSWER_MS, 2 * (this.parts.now() - this.#missed));
    this.#missed = undefined;
    this.#ask();
  }

  #stopAsking(): void {
    clearTimeout(this.#question?.timer);
    this.#question = undefined;
  }

  /** Draws soon, and not more often than the eye can follow. */
  #schedule(): void {
    if (this.#timer !== undefined || !this.#isHeld) return;
    const wait = Math.max(0, this.#lastFrame + FRAME_MS - this.parts.now());
    this.#timer = setTimeout(() => this.#draw(), wait);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isHeld || this.#question !== undefined || this.#resizing) return;
    this.#lastFrame = this.parts.now();
    const text = this.#flow.take();
    if (text === undefined && sameView(this.#shown, this.#wanted)) return;
    const change = {shown: this.#shown, wanted: this.#wanted, text};
    if (this.#top === undefined) this.parts.output.write(synchronised(composeFloating(change, this.#column)));
    else {
      const {out, top} = composeAnchored(change, {top: this.#top, isSaved: this.#isSaved, rows: this.rows});
      this.parts.output.write(out);
      this.#top = top;
      this.#isSaved ||= text !== undefined;
    }
    this.#column = text?.column ?? this.#column;
    this.#shown = this.#wanted;
  }
}

export function sizeOf({columns, rows}: ScreenOutput): {readonly columns: number; readonly rows: number} {
  return {columns: Math.max(4, columns || 80), rows: Math.max(2, rows || 24)};
}
