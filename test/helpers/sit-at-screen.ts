import headless from '@xterm/headless';
import type {AgentPlace} from './run-agent.js';
import {GeminiSitting, type Ended, type SittingOptions} from './sit-at-gemini.js';

const {Terminal} = headless;
const MOST_MS = 20_000;

/** A person at a terminal emulator, who sees its window and its scrollback. */
export class ScreenSitting {
  readonly #terminal: InstanceType<typeof Terminal>;
  #sitting: GeminiSitting | undefined;
  #onChange: () => void = () => undefined;
  /** Whether the window shows a part of a synchronised frame, which a person does not see. */
  #isDrawing = false;
  /** The title of the window. */
  title = '';
  /** All bytes that were written. */
  written = '';

  private constructor(columns: number, rows: number) {
    this.#terminal = new Terminal({cols: columns, rows, scrollback: 100_000, allowProposedApi: true});
    this.#terminal.onTitleChange((title) => {
      this.title = title;
    });
    this.#terminal.onData((answer) => this.#sitting?.type(answer));
  }

  static async begin(
    place: AgentPlace,
    {columns = 80, rows = 24, ...options}: SittingOptions = {},
  ): Promise<ScreenSitting> {
    const screen = new ScreenSitting(columns, rows);
    screen.#sitting = await GeminiSitting.begin(place, {
      ...options,
      columns,
      rows,
      // Its emulator wraps shown rows again as this editor's does.
      variables: {TERM: 'xterm-256color', TERM_PROGRAM: 'vscode', ...options.variables},
      onOutput: (text) => {
        screen.written += text;
        screen.#terminal.write(text, () => {
          screen.#isDrawing = isOpen(text) ?? screen.#isDrawing;
          screen.#onChange();
        });
      },
    });
    return screen;
  }

  /** The rows of the window. */
  get window(): readonly string[] {
    const {baseY} = this.#terminal.buffer.active;
    return Array.from({length: this.#terminal.rows}, (_, row) => this.#row(baseY + row));
  }

  /** All lines from the start of the scrollback; rows that the terminal wrapped are one. */
  get lines(): readonly string[] {
    const buffer = this.#terminal.buffer.normal;
    const lines: string[] = [];
    for (let at = 0; at < buffer.length; at += 1) {
      const text = buffer.getLine(at)?.translateToString(false) ?? '';
      if (buffer.getLine(at)?.isWrapped === true) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }

  /** The row in which the cursor is. */
  get row(): string {
    const {baseY, cursorY} = this.#terminal.buffer.active;
    return this.#row(baseY + cursorY);
  }

  /** The same up to the cursor. */
  get #typed(): string {
    return this.row.slice(0, this.#terminal.buffer.active.cursorX).trimEnd();
  }

  type(text: string): void {
    this.#sitting?.type(text);
  }

  /** Waits until the window shows a row that contains the text. */
  async see(text: string): Promise<void> {
    await this.wait(() => this.window.some((row) => row.includes(text)), `to see ${JSON.stringify(text)}`);
  }

  /** Waits until the cursor is in a row that ends so: what is typed next arrives there. A hint can stand behind it. */
  async seeAt(text: string): Promise<void> {
    await this.wait(
      () => this.row.endsWith(text) || this.#typed.endsWith(text),
      `for the cursor at ${JSON.stringify(text)}`,
    );
  }

  /** Waits until no row of the window contains the text. */
  async lose(text: string): Promise<void> {
    await this.wait(() => !this.window.some((row) => row.includes(text)), `to lose ${JSON.stringify(text)}`);
  }

  /** Waits until something is so. */
  async wait(isSo: () => boolean, what: string): Promise<void> {
    const late = AbortSignal.timeout(MOST_MS);
    late.addEventListener('abort', () => this.#onChange(), {once: true});
    while (this.#isDrawing || !isSo()) {
      if (late.aborted) throw new Error(`Waited ${what} in vain:\n${this.window.join('\n')}`);
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Gives the window another size. */
  async resize(columns: number, rows: number): Promise<void> {
    this.#terminal.resize(columns, rows);
    await this.#sitting?.resize(columns, rows);
  }

  async signal(name: Parameters<GeminiSitting['signal']>[0]): Promise<void> {
    await this.#sitting?.signal(name);
  }

  async end(): Promise<Ended | undefined> {
    return this.#sitting?.end();
  }

  /** What the program has used of the processor, and of memory at most. */
  async usage(): Promise<{readonly seconds: number; readonly megabytes: number}> {
    return (await this.#sitting?.usage()) ?? {seconds: 0, megabytes: 0};
  }

  async gone(): Promise<void> {
    await this.#sitting?.gone();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sitting?.[Symbol.asyncDispose]();
  }

  #row(at: number): string {
    return (this.#terminal.buffer.active.getLine(at)?.translateToString(false) ?? '').trimEnd();
  }
}

/** Whether synchronised output is on at the end of a text; undefined: it says nothing about it. */
function isOpen(text: string): boolean | undefined {
  const [on, off] = ['\u001b[?2026h', '\u001b[?2026l'].map((mark) => text.lastIndexOf(mark));
  return on === off ? undefined : (on ?? -1) > (off ?? -1);
}
