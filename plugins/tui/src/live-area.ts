import {statusLine, type Bottom, type BottomState} from '@gemini-kernel/plugin-agent/front';
import {
  fitWidth,
  layoutInput,
  safeLine,
  widthOf,
  type Graphemes,
  type InputView,
  type Layout,
  type Paint,
} from '@gemini-kernel/terminal';
import type {Footer} from './around/footer.js';
import type {Sign} from './around/sign.js';
import type {LiveView} from './screen/live-view.js';
import type {Suggestions} from './suggestions.js';
import type {TerminalScreen} from './terminal-screen.js';

interface AreaParts {
  readonly screen: TerminalScreen;
  readonly graphemes: Graphemes;
  readonly paint: Paint;
  readonly showsSpinner: boolean;
  readonly suggestions: Suggestions;
  readonly footer: Footer;
  readonly signs: readonly Sign[];
  now(): number;
}

/** Stands in an empty prompt, behind the place of the cursor. */
const PLACEHOLDER = ' Type your message or @path/to/file';
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;
const MOST_QUEUED = 3;
const MOST_OUTPUT = 5;

/**
 * The rows below history: what gemini does, lines that wait, a question or the prompt, suggestions, and the footer.
 * Nothing is drawn while nothing changes.
 */
export class LiveArea implements Bottom {
  #timer: NodeJS.Timeout | undefined;
  #wasBusy = true;

  constructor(
    private readonly parts: AreaParts,
    private readonly state: BottomState,
  ) {
    parts.screen.drawWith(() => this.#lay());
  }

  draw(): void {
    const {asker, work} = this.state;
    if (work.isTurn && !asker.isAsking) this.#timer ??= setInterval(() => this.parts.screen.draw(), FRAME_MS);
    else this.#stop();
    if (asker.isAsking) asker.refresh();
    if (this.#wasBusy && !work.isBusy) void this.parts.footer.refresh();
    this.#wasBusy = work.isBusy;
    const state = asker.isAsking ? 'asking' : work.isTurn ? 'working' : 'ready';
    for (const sign of this.parts.signs) sign.show(state);
    this.parts.screen.draw();
  }

  close(): void {
    this.#stop();
    this.parts.screen.drawWith(() => ({rows: [], row: 0, column: 0}));
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #lay(): LiveView {
    const {screen, suggestions, footer} = this.parts;
    const above = ['', ...this.#doing(), ...this.#queued()];
    const room = Math.max(1, screen.mostRows - above.length - 2);
    const asked = screen.question(room) ?? this.#typed(room);
    const {rows, row, column} = asked ?? layoutInput(this.#prompt(), screen.columns, room);
    const below = asked ? [] : suggestions.rows(screen.columns, Math.max(0, room - rows.length));
    return {
      rows: [...above, ...rows, ...below, ...footer.rows(screen.columns, this.state.mode())],
      row: above.length + row,
      column,
    };
  }

  /** The prompt, with how an earlier one continues, or what an empty one is for. */
  #prompt(): InputView {
    const {input} = this.state;
    const {paint, graphemes, suggestions} = this.parts;
    if (suggestions.isOpen) return input.view;
    if (this.#isWaiting()) return {...input.view, cells: [paint('dim', PLACEHOLDER)]};
    if (input.ghost === '') return input.view;
    const ghost = graphemes.split(safeLine(input.ghost)).map((one) => paint('dim', one));
    return {...input.view, cells: [...input.view.cells, ...ghost]};
  }

  /** Whether the prompt is empty, and there is room in its row to say so. */
  #isWaiting(): boolean {
    const {input, work} = this.state;
    const isRoom = widthOf(input.view.label) + widthOf(PLACEHOLDER) < this.parts.screen.columns;
    return input.isBlank && !work.isTurn && isRoom;
  }

  /** What a command has printed that gets the keys. */
  #typed(most: number): Layout | undefined {
    const {screen, graphemes, paint} = this.parts;
    const {focused} = this.state.shells;
    if (!focused) return undefined;
    const columns = screen.columns - 1;
    const fit = (text: string): string => fitWidth(text, columns, graphemes);
    const keys = ['Shift+Tab takes the keys back'];
    const about = paint('strong', statusLine(`Typing into ${safeLine(focused.command)}`, keys, {columns, graphemes}));
    const lines = focused.lines.slice(-Math.max(1, most - 1)).map(fit);
    const rows = most > 1 ? [about, ...(lines.length > 0 ? lines : [''])] : lines.slice(-1);
    return {rows, row: rows.length - 1, column: Math.min(columns, widthOf(lines.at(-1) ?? ''))};
  }

  /** The end of a running tool's output, and what gemini waits for. */
  #doing(): readonly string[] {
    const {screen, paint, graphemes, showsSpinner, now} = this.parts;
    const {work, asker, shells} = this.state;
    if (!work.isTurn || asker.isAsking) return [];
    const fit = (text: string): string => paint('dim', fitWidth(text, screen.columns - 1, graphemes));
    const output = shells.focused ? [] : work.output(MOST_OUTPUT).map((line) => fit(`  ${line}`));
    const frame = FRAMES[Math.floor(now() / FRAME_MS) % FRAMES.length] ?? '';
    const line = statusLine(`${frame} ${work.doing()}`, [shells.hint, work.stopping()], {
      ...{columns: screen.columns - 1, graphemes, isKept: shells.hint !== undefined},
    });
    return showsSpinner ? [...output, paint('dim', line)] : output;
  }

  #queued(): readonly string[] {
    const {screen, paint, graphemes} = this.parts;
    const {queue} = this.state.work;
    const shown = queue.slice(0, MOST_QUEUED).map((text) => `  next: ${safeLine(text)}`);
    const more = queue.length > MOST_QUEUED ? [`  … ${queue.length - MOST_QUEUED} more`] : [];
    const hint = queue.length > 0 ? ['  Up takes them back, Alt+Q changes them'] : [];
    return [...shown, ...more, ...hint].map((line) => paint('dim', fitWidth(line, screen.columns - 1, graphemes)));
  }
}
