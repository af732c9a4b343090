import type {OpenView, Viewable, ViewEnds} from '@gemini-kernel/plugin-agent/front';
import {ListViewer, TextViewer} from '@gemini-kernel/plugin-agent/front/views';
import type {Graphemes, Key, KeyBindings, Layout, Look} from '@gemini-kernel/terminal';
import type {ScreenOutput} from '../screen/inline-screen.js';
import type {TerminalScreen} from '../terminal-screen.js';
import {FullScreen} from './full-screen.js';

interface DrawerParts {
  readonly screen: TerminalScreen;
  readonly seat: {readonly output: ScreenOutput};
  readonly look: Look;
  readonly graphemes: Graphemes;
  readonly keys: KeyBindings;
  /** Whether the terminal has a second screen. */
  readonly hasAlternate: boolean;
}

interface Viewer {
  press(key: Key): void;
  note(sentence: string): void;
  lay(columns: number, rows: number): Layout;
}

/** Shows a view in the whole window, or in the rows below the history where there is no second screen. */
export async function drawView(what: Viewable, ends: ViewEnds, parts: DrawerParts): Promise<OpenView> {
  const {screen, hasAlternate} = parts;
  const viewerParts = {...parts, signal: ends.signal, onChange: () => drawn.draw(), onClose: ends.onClose};
  const viewer: Viewer = what.kind === 'list' ? new ListViewer(what, viewerParts) : new TextViewer(what, viewerParts);
  const lay = (columns: number, rows: number): Layout => viewer.lay(columns, rows);
  const drawn: Drawn = hasAlternate ? new FullScreen({screen, output: parts.seat.output, lay}) : inline(screen, lay);
  return {
    press: (key) => viewer.press(key),
    note: (sentence) => viewer.note(sentence),
    redraw: () => drawn.redraw(),
    close: () => drawn.close(),
  };
}

interface Drawn {
  redraw(): void;
  draw(): void;
  close(): void;
}

/** In the live rows, instead of the prompt. */
function inline(screen: TerminalScreen, lay: (columns: number, rows: number) => Layout): Drawn {
  const draw = (): void => screen.ask((columns, most) => lay(columns - 1, most));
  return {redraw: draw, draw, close: () => screen.ask(undefined)};
}
