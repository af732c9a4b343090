/** What a line is held against, said in the language of each engine. All mean the same. */
export interface LinePattern {
  /** As given. */
  readonly given: string;
  readonly isCaseSensitive: boolean;
  /**
   * Set when the given text itself is looked for; `rust` and `pcre` are then that text and need the engine's switches
   * for a fixed text and, unless case counts, for case.
   */
  readonly isLiteral: boolean;
  /**
   * For JavaScript, on lines without their end, neither `\n` nor `\r`, whose bytes that are no UTF-8 are as
   * `decodeBytes` gives them.
   */
  readonly script: {readonly source: string; readonly flags: string};
  /**
   * For ripgrep's own engine; undefined when only a backtracking one knows all of it. A regular expression says itself
   * where case does not count, whatever switch for it is set.
   */
  readonly rust?: string;
  /** For PCRE2, likewise; undefined when that cannot say the same. */
  readonly pcre?: string;
}
