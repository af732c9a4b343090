import type {Key} from '@gemini-kernel/terminal';
import type {View, ViewDescription, ViewOutcome, ViewText} from '../../views.js';

/** What a person looks at: things to choose from, or a text. */
export type Viewable =
  | {readonly kind: 'list'; readonly view: View; readonly description: ViewDescription}
  | {readonly kind: 'text'; readonly title: string; readonly texts: readonly ViewText[]};

export interface ViewEnds {
  /** Aborted when the view is closed. */
  readonly signal: AbortSignal;
  /** The person leaves the view. */
  onClose(outcome: ViewOutcome | undefined): void;
}

/** A view while it is shown. */
export interface OpenView {
  press(key: Key): void;
  /** Shows a sentence until the next key. */
  note(sentence: string): void;
  /** Draws all of it: at the start, after a resize, and after another program. */
  redraw(): void;
  /** Leaves the terminal as it was before the view. */
  close(): void;
}
