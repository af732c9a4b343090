import type {Key} from './keys.js';

/** A question that stands at the bottom of the screen until it has an answer. */
export interface Asking<A> {
  /** The answer when the person has other plans. */
  readonly refusal: A;
  /** What is left of the word that an answer is the first letter of; a person may type the whole. */
  readonly restOfAnswer: string;
  /** Prints what is asked about. Nothing can be answered yet. */
  introduce(): void;
  /** Shows the line that is answered at. */
  open(): void;
  /** Takes a key; the answer, once there is one. */
  press(key: Key): A | undefined;
  /** Says that an answer is no longer needed. */
  withdraw(): void;
  /** Shows the line again, when something else was printed meanwhile. */
  refresh(): void;
}
