import type {Key} from '@gemini-kernel/terminal';

/** A question at the bottom of the screen, until it has an answer. */
export interface Asking<A> {
  /** The answer when the person stops. */
  readonly refusal: A;
  /** The remaining letters of a word whose first letter is the answer; a person may type the whole word. */
  readonly restOfAnswer: string;
  /** Whether it shows a part of a list, in which keys move by pages. */
  readonly isLong?: boolean;
  /** Prints the subject of the question. It does not accept answers yet. */
  introduce(): void;
  /** Shows the input line. */
  open(): void;
  /** Handles a key; gives the answer once there is one. */
  press(key: Key): A | undefined;
  /** Reports that an answer is no longer needed. */
  withdraw(): void;
  /** Shows the line again after other output. */
  refresh(): void;
}
