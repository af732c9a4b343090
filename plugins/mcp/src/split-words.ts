interface Known {
  /** Names and letters of flags without their dashes. */
  readonly withValue: readonly string[];
  readonly withoutValue: readonly string[];
}

interface Split {
  readonly own: string[];
  readonly words: string[];
}

/**
 * Splits a command line into what is ours (two words and the known flags) and the words for the program: all further
 * words, unknown flags, and what follows `--`.
 */
export function splitWords(argv: readonly string[], known: Known): Split {
  const end = argv.indexOf('--');
  const split: Split = {own: [], words: []};
  let wanted = 2;
  const takePositional = (word: string): void => {
    (wanted > 0 ? split.own : split.words).push(word);
    wanted -= 1;
  };
  const before = end < 0 ? argv : argv.slice(0, end);
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? '';
    const kind = kindOf(word, known);
    if (kind === 'word') takePositional(word);
    // Before the target it cannot be for the program: the parser names it as unknown.
    else if (kind === 'unknown') (wanted > 0 ? split.own : split.words).push(word);
    else split.own.push(word);
    const value = before[at + 1];
    if (kind !== 'with-value' || value === undefined) continue;
    split.own.push(value);
    at += 1;
  }
  if (end >= 0) for (const word of argv.slice(end + 1)) takePositional(word);
  return split;
}

/** A letter has one dash, a name two. */
function kindOf(word: string, {withValue, withoutValue}: Known): 'word' | 'flag' | 'with-value' | 'unknown' {
  const [, dashes = '', name = '', given] = /^(--?)([^=]+)(=.*)?$/s.exec(word) ?? [];
  if (dashes === '') return 'word';
  const isRight = (dashes.length === 1) === (name.length === 1);
  if (isRight && withValue.includes(name)) return given === undefined ? 'with-value' : 'flag';
  return isRight && withoutValue.includes(name) ? 'flag' : 'unknown';
}
