import type {Screen} from '@gemini-kernel/plugin-agent/front';
import {fitWidth, inputText, layoutInput, type Graphemes, type InputView, type Layout} from '@gemini-kernel/terminal';
import type {InlineScreen} from './screen/inline-screen.js';
import type {LiveView} from './screen/live-view.js';

/** The screen of a conversation: history in the terminal's scrollback, and live rows below it. */
export class TerminalScreen implements Screen {
  readonly isLive = true;
  readonly hasWindow = true;
  /** What is asked at the bottom, instead of the prompt. */
  #asked: ((columns: number, most: number) => Layout) | undefined;
  #lay: () => LiveView = () => ({rows: [], row: 0, column: 0});

  constructor(
    private readonly inline: InlineScreen,
    private readonly graphemes: Graphemes,
    /** Called when the terminal is ours again, and what others left in it does not count. */
    private readonly onAcquire: () => void,
  ) {}

  get columns(): number {
    return this.inline.columns;
  }

  get rows(): number {
    return this.inline.rows;
  }

  /** The number of live rows that fit. */
  get mostRows(): number {
    return this.inline.mostRows;
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
    this.inline.show(this.#lay());
  }

  print(text: string): void {
    this.inline.print(text);
  }

  endLine(): void {
    this.inline.endLine();
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
    this.inline.clear();
  }

  refresh(): void {
    this.inline.resize(() => this.#lay());
  }

  release(): void {
    this.inline.release();
  }

  acquire(): void {
    this.onAcquire();
    this.inline.acquire();
    this.draw();
  }
}
