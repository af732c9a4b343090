import {Writable} from 'node:stream';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {Graphemes, Key, KeyBindings, Paint} from '@gemini-kernel/terminal';
import {alternate, wheelArrows} from './alternate.js';
import {synchronised} from './floating.js';
import {Flow} from './flow.js';
import {HistoryRows} from './history-rows.js';
import type {HistoryScreen} from './history-screen.js';
import {FRAME_MS, LEAST_HISTORY, sizeOf, type ScreenOutput} from './inline-screen.js';
import {EMPTY, fitView, type LiveView} from './live-view.js';
import {Lookback} from './lookback.js';
import {shiftRows} from './shift-rows.js';

export interface WindowParts {
  readonly output: ScreenOutput;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  readonly paint: Paint;
  now(): number;
}

/** How long a window must keep its size before it is drawn again. */
const RESIZE_MS = 50;

/**
 * The whole window of a terminal, in its second screen: history that is scrolled here, and live rows at the bottom.
 * Whenever the terminal is left to others, the history that is new since is printed to its normal screen, so that all
 * of it is in the scrollback afterwards, once and in order.
 */
export class WindowScreen implements HistoryScreen {
  readonly printed: NodeJS.WritableStream;
  readonly #history: HistoryRows;
  readonly #lookback: Lookback;
  #size: {readonly columns: number; readonly rows: number};
  #wanted = EMPTY;
  /** The rows of the window as they are; none: everything is drawn. */
  #shown: readonly string[] = [];
  #cursor = '';
  #isHeld = false;
  #isCovered = false;
  /** What was printed since the normal screen was last there. */
  #unsaved = '';
  #frame: NodeJS.Timeout | undefined;
  #lastFrame = -Infinity;
  #resizing: {readonly timer: NodeJS.Timeout; readonly lay: () => LiveView} | undefined;

  constructor(private readonly parts: WindowParts) {
    this.#size = sizeOf(parts.output);
    this.#history = new HistoryRows(parts.graphemes);
    this.#history.fit(this.#size.columns - 1);
    this.#lookback = new Lookback(this.#history, parts);
    this.printed = new Writable({
      decodeStrings: false,
      write: (chunk: Buffer | string, _, done) => {
        this.print(makeVisible(chunk.toString().replace(/\r\n/g, '\n'), true));
        done();
      },
    });
  }

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  get mostRows(): number {
    return Math.max(1, this.#size.rows - LEAST_HISTORY);
  }

  acquire(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#fit();
    this.parts.output.write(alternate.enter + wheelArrows.off);
    this.#redraw();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    clearTimeout(this.#frame);
    clearTimeout(this.#resizing?.timer);
    this.#resizing = undefined;
    this.#frame = undefined;
    this.parts.output.write(wheelArrows.on + alternate.leave + this.#save());
  }

  readonly cover = (isCovered: boolean): void => {
    if (isCovered) this.acquire();
    this.#isCovered = isCovered;
    if (!isCovered) this.#redraw();
  };

  press(key: Key): boolean {
    if (!this.#lookback.press(key, this.#room)) return false;
    this.#draw();
    return true;
  }

  /** Text that is in the normal screen already. */
  recall(text: string): void {
    this.#history.push(text);
  }

  print(text: string): void {
    this.#history.push(text);
    this.#unsaved += text;
    if (this.#frame !== undefined || !this.#isHeld) return;
    this.#frame = setTimeout(() => this.#draw(), Math.max(0, this.#lastFrame + FRAME_MS - this.parts.now()));
  }

  endLine(): void {
    if (this.#history.isOpen) this.print('\n');
  }

  show(view: LiveView): void {
    this.#wanted = fitView(view, this.mostRows);
    this.#draw();
  }

  position(): void {
    // The whole window is ours.
  }

  resize(lay: () => LiveView): void {
    clearTimeout(this.#resizing?.timer);
    this.#resizing = {lay, timer: setTimeout(() => this.flush(), RESIZE_MS)};
  }

  /** Draws what was printed, in a window of a new size. */
  flush(): void {
    if (!this.#resizing) return this.#draw();
    const {timer, lay} = this.#resizing;
    clearTimeout(timer);
    this.#resizing = undefined;
    this.#fit();
    this.#wanted = fitView(lay(), this.mostRows);
    this.#redraw();
  }

  clear(): void {
    this.#lookback.clear();
    this.#draw();
  }

  /** The rows of history that fit. */
  get #room(): number {
    return this.#size.rows - this.#live.rows.length;
  }

  /** The live rows, or the line in which something is searched for. */
  get #live(): LiveView {
    return this.#lookback.line(this.#size.columns - 1) ?? this.#wanted;
  }

  #fit(): void {
    this.#size = sizeOf(this.parts.output);
    this.#wanted = fitView(this.#wanted, this.mostRows);
    this.#history.fit(this.#size.columns - 1);
    this.#lookback.fit();
  }

  #redraw(): void {
    this.#shown = [];
    this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    if (!this.#isHeld || this.#isCovered) return;
    this.#lastFrame = this.parts.now();
    const live = this.#live;
    const room = this.#size.rows - live.rows.length;
    const history = this.#lookback.rows(room, this.#size.columns - 1);
    const blank = Array.from({length: room - history.length}, () => '');
    const rows = [...history, ...blank, ...live.rows];
    const changed =
      this.#shown.length === 0
        ? rows.map((text, index) => `\u001b[${index + 1};1H${text}\u001b[K`).join('')
        : shiftRows(this.#shown, rows, room);
    this.#shown = rows;
    const cursor = `\u001b[${room + live.row + 1};${live.column + 1}H`;
    if (changed === '' && cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.parts.output.write(changed === '' ? cursor : synchronised(changed + cursor));
  }

  /** The history that is not in the normal screen yet, as that screen shows it. */
  #save(): string {
    if (this.#unsaved === '') return '';
    const flow = new Flow(this.parts.graphemes, () => this.#size.columns);
    // A line that is still open continues on one of its own.
    flow.push(`${this.#unsaved}\u001b[0m${this.#unsaved.endsWith('\n') ? '' : '\n'}`);
    this.#unsaved = '';
    return `${flow.take()?.text ?? ''}\u001b[0m\n`;
  }
}
