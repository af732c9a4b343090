import type {KeyBindings} from './bindings/key-bindings.js';

/** Actions of the prompt that its owner performs. */
export type Act =
  | ('submit' | 'interrupt' | 'end' | 'escape' | 'complete' | 'clear' | 'mode' | 'editor' | 'keys' | 'suspend')
  | ('unfold' | 'outputs' | 'queue' | 'paste');

export interface LineSettings {
  /** Earlier prompts. */
  readonly history?: readonly string[];
  /** What stands before the text. */
  readonly label?: string;
  readonly keys?: KeyBindings;
  /** Whether it has the keys of vim. */
  readonly isVim?: boolean;
  /** Whether it offers how an earlier prompt continues; its owner shows that. */
  readonly offersEarlier?: boolean;
}
