import type {InputView, Key} from '@gemini-kernel/terminal';

/** The display of a conversation. Printed text stays; at most the last lines are redrawn. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Whether the last line can be redrawn. */
  readonly isLive: boolean;
  /** Whether a view can take the window, so that long lists need not be printed. */
  readonly hasWindow?: boolean;
  /** What gets the output of commands, where the screen shows nothing that others write to the terminal. */
  readonly printed?: NodeJS.WritableStream;
  /** Uses a key before the prompt does, where history is scrolled here; returns whether it did. */
  press?(key: Key): boolean;
  /** Prints text permanently; it may end within a line, and continue later. */
  print(text: string): void;
  /** Ends an open line. */
  endLine(): void;
  /** Shows the prompt at the bottom, and a line under it if that can be removed again; undefined removes both. */
  prompt(view: InputView | undefined, below?: string): void;
  /** Makes the prompt permanent. */
  keepPrompt(view: InputView): void;
  /** Shows one line at the bottom until it is replaced. */
  status(line: string | undefined): void;
  /** Clears the screen; printed text stays in the scrollback. */
  clear(): void;
  /** The terminal was resized. */
  refresh(): void;
  /** Leaves the terminal to another program. */
  release(): void;
  /** Takes it again. */
  acquire(): void;
}
