import {fitWidth, widthOf, type Graphemes, type LineInput, type Look} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';

interface BottomParts {
  readonly screen: Screen;
  readonly graphemes: Graphemes;
  readonly look: Look;
  readonly showsSpinner: boolean;
  now(): number;
  /** What gemini is waiting for. */
  line(): string | undefined;
  /** The same as a sentence, when it is time for one. */
  word(): string | undefined;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;

/** The line that changes while the agent works: a spinner, what gemini is waiting for, and typed text. */
export class BottomLine {
  #timer: NodeJS.Timeout | undefined;
  #input: LineInput | undefined;

  constructor(private readonly parts: BottomParts) {}

  start(input: LineInput): void {
    this.#input = input;
    this.#timer ??= setInterval(() => this.#tick(), FRAME_MS);
    if (this.parts.screen.isLive) this.#tick();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.parts.screen.status(undefined);
  }

  #tick(): void {
    const {screen, look, graphemes, showsSpinner, now, line, word} = this.parts;
    if (!screen.isLive) {
      const said = word();
      if (said !== undefined) {
        screen.endLine();
        screen.print(said);
      }
      return;
    }
    const view = this.#input?.view;
    const typed =
      view === undefined || view.cells.length === 0
        ? ''
        : ` ${view.label}${view.cells.join('').replaceAll('\n', ' ').slice(-200)}`;
    const status = showsSpinner ? `${FRAMES[Math.floor(now() / FRAME_MS) % FRAMES.length] ?? ''} ${line() ?? ''}` : '';
    if (status === '' && typed === '') return screen.status(undefined);
    const room = screen.columns - 1;
    const most = Math.floor(room / 2);
    const tail = widthOf(typed) <= most ? typed : ` …${lastOf(typed, most - 2, graphemes)}`;
    screen.status(`${look.paint('dim', fitWidth(status, room - widthOf(tail), graphemes))}${tail}`);
  }
}

function lastOf(text: string, columns: number, graphemes: Graphemes): string {
  let kept = '';
  for (const one of [...graphemes.split(text)].reverse()) {
    if (widthOf(one + kept) > columns) break;
    kept = one + kept;
  }
  return kept;
}
