import {statusLine, type Bottom, type BottomState, type Screen} from '@gemini-kernel/plugin-agent/front';
import {fitWidth, widthOf, type Graphemes, type Look} from '@gemini-kernel/terminal';

interface BottomParts {
  readonly screen: Screen;
  readonly graphemes: Graphemes;
  readonly look: Look;
  readonly showsSpinner: boolean;
  now(): number;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 120;

/** A question, the prompt, or while the agent works a line with a spinner, what gemini waits for, and typed text. */
export class BottomLine implements Bottom {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: BottomParts,
    private readonly state: BottomState,
  ) {}

  draw(): void {
    const {asker, work, input, mode} = this.state;
    if (work.isTurn && !asker.isAsking) return this.#start();
    this.#stop();
    if (asker.isAsking) asker.refresh();
    else if (!work.isBusy) this.parts.screen.prompt(input.view, mode());
  }

  close(): void {
    this.#stop();
    this.parts.screen.prompt(undefined);
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.#tick(), FRAME_MS);
    if (this.parts.screen.isLive) this.#tick();
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.parts.screen.status(undefined);
  }

  /** What gemini is waiting for, or the last line of the command that gets the keys. */
  #line(columns: number): string {
    const {work, mode, shells} = this.state;
    const {graphemes, now} = this.parts;
    if (shells.focused)
      return statusLine(shells.focused.lines.at(-1) ?? '', ['Shift+Tab takes the keys back'], {columns, graphemes});
    const queued = work.waiting > 0 ? `${work.waiting} queued, Up to edit` : undefined;
    const frame = FRAMES[Math.floor(now() / FRAME_MS) % FRAMES.length] ?? '';
    const isKept = shells.hint !== undefined;
    const keys = isKept ? [mode(), queued, shells.hint, work.stopping()] : [work.stopping(), queued, mode()];
    return statusLine(`${frame} ${work.doing()}`, keys, {columns, graphemes, isKept});
  }

  #tick(): void {
    const {screen, look, graphemes, showsSpinner} = this.parts;
    if (!screen.isLive) {
      const said = this.state.work.word();
      if (said !== undefined) {
        screen.endLine();
        screen.print(said);
      }
      return;
    }
    const {view} = this.state.input;
    const typed =
      view.cells.length === 0 ? '' : ` ${view.label}${view.cells.join('').replaceAll('\n', ' ').slice(-200)}`;
    const room = screen.columns - 1;
    const most = Math.floor(room / 2);
    const tail = widthOf(typed) <= most ? typed : ` …${lastOf(typed, most - 2, graphemes)}`;
    const status = showsSpinner ? this.#line(room - widthOf(tail)) : '';
    if (status === '' && tail === '') return screen.status(undefined);
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
