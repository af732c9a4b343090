import type {Screen} from '@gemini-kernel/plugin-agent/front';
import {
  fitWidth,
  inputText,
  layoutInput,
  type Graphemes,
  type InputView,
  type Key,
  type Layout,
} from '@gemini-kernel/terminal';
import type {HistoryScreen} from './screen/history-screen.js';
import type {LiveView} from './screen/live-view.js';

/** The screen of a conversation: history, in the terminal's scrollback or in a window, and live rows below it. */
export class TerminalScreen implements Screen {
  readonly isLive = true;
  readonly hasWindow = true;
  readonly printed?: NodeJS.WritableStream;
  /** Lends the whole window to a view, or takes it back; absent where a view has to take another screen. */
  readonly cover?: (isCovered: boolean) => void;
  /** What is asked at the bottom, instead of the prompt. */
  #asked: ((columns: number, most: number) => Layout) | undefined;
  #lay: () => LiveView = () => ({rows: [], row: 0, column: 0});

  constructor(
    private readonly history: HistoryScreen,
    private readonly graphemes: Graphemes,
    /** Called when the terminal is ours again, and what others left in it does not count. */
    private readonly onAcquire: () => void,
  ) {
    const {printed, cover} = history;
    if (printed) this.printed = printed;
    if (cover) this.cover = cover;
  }

  get columns(): number {
    return this.history.columns;
  }

  get rows(): number {
    return this.history.rows;
  }

  /** The number of live rows that fit. */
  get mostRows(): number {
    return this.history.mostRows;
  }

  /** The rows of a question, if there is one. */
  question(most: number): Layout | undefined {
    return this.#asked?.(this.columns, most);
  }

  /** Sets what gives the live rows. */
  drawWith(lay: () => LiveView): void {
    this.#lay = lay;
  }

  /** Draws the live rows where they have changed. */
  draw(): void {
    this.history.show(this.#lay());
  }

  print(text: string): void {
    this.history.print(text);
  }

  endLine(): void {
    this.history.endLine();
  }

  /** Asks something at the bottom, instead of showing the prompt; undefined: nothing more. */
  ask(lay: ((columns: number, most: number) => Layout) | undefined): void {
    this.#asked = lay;
    this.draw();
  }

  prompt(view: InputView | undefined, below?: string): void {
    this.ask(
      view &&
        ((columns, most) => {
          const layout = layoutInput(view, columns, most);
          const row = below === undefined ? [] : [fitWidth(below, columns - 1, this.graphemes)];
          return {...layout, rows: [...layout.rows, ...row]};
        }),
    );
  }

  keepPrompt(view: InputView): void {
    this.#asked = undefined;
    this.endLine();
    this.print(`${inputText(view)}\n`);
  }

  status(): void {
    // What gemini waits for is one of the live rows.
  }

  clear(): void {
    this.history.clear();
  }

  press(key: Key): boolean {
    return this.history.press?.(key) ?? false;
  }

  refresh(): void {
    this.history.resize(() => this.#lay());
  }

  release(): void {
    this.history.release();
  }

  acquire(): void {
    this.onAcquire();
    this.history.acquire();
    this.draw();
  }
}
