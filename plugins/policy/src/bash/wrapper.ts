/** How a command that runs another one is written. Options that are not listed make it doubtful. */
export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options with a value, in the same word or the next. */
  readonly values?: string;
  /** Letters of options whose value, if any, is in the same word. */
  readonly attached?: string;
  /** Long options without a value; `name=` takes one. */
  readonly long?: string;
  /** Options, letter or long, whose value a shell reads. */
  readonly scripts?: readonly string[];
  /** Options whose value is the directory to run in. */
  readonly directory?: readonly string[];
  /** Options whose value is split into words that begin the command. */
  readonly split?: readonly string[];
  /** Options that keep it from running anything. */
  readonly idle?: string;
  /** Variables may be set before the command. */
  readonly assigns?: boolean;
  /** How many words stand before the command. */
  readonly operands?: number;
  /** Those words may be left out. */
  readonly isOptional?: boolean;
  /** Options may also follow those words. */
  readonly permutes?: boolean;
  /** A number may be an option: `nice -5`. */
  readonly numeric?: boolean;
  /** What it hands to a shell is all that follows, joined. */
  readonly joins?: boolean;
  /** Every word that follows is a text for a shell. */
  readonly each?: boolean;
  /** It adds words that are not in the line. */
  readonly adds?: boolean;
  /** What it does when no command follows: start a shell, print what it is handed, or nothing of its own. */
  readonly bare?: 'shell' | 'echo' | 'nothing';
  /** Whether HOME is that of the line in what it runs; one that does not say so may have another. */
  readonly home?: 'same' | 'same without options';
  /** It stays in the shell, so that `cd` counts. */
  readonly isBuiltin?: boolean;
}
