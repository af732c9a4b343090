import type {Key} from '@gemini-kernel/terminal';
import type {LiveView} from './live-view.js';

/** What shows the history of a conversation, and live rows below it. */
export interface HistoryScreen {
  readonly columns: number;
  readonly rows: number;
  /** The number of live rows that fit. */
  readonly mostRows: number;
  /** What gets the output of commands, where the screen shows nothing that others write. */
  readonly printed?: NodeJS.WritableStream;
  /** Takes the terminal. */
  acquire(): void;
  /** Leaves the terminal to others, at the start of an empty row below the history. */
  release(): void;
  /** Lends the whole window to a view, or takes it back; absent where a view has to take another screen. */
  readonly cover?: (isCovered: boolean) => void;
  /** Uses a key that scrolls; returns whether it did. */
  press?(key: Key): boolean;
  /** Prints text permanently; it may end within a line, and continue later. */
  print(text: string): void;
  /** Ends an open line. */
  endLine(): void;
  /** Shows these live rows from now on. */
  show(view: LiveView): void;
  /** The terminal reports the row of the cursor. */
  position(row: number): void;
  /** The window has another size, for which `lay` gives the live rows. */
  resize(lay: () => LiveView): void;
  /** Leaves what was printed above the window. */
  clear(): void;
}
