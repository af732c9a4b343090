/** Tests one text, all of it. */
export type Matcher = (text: string) => boolean;

type Range = readonly [low: number, high: number];

type Token =
  | {readonly kind: 'character'; readonly code: number}
  | {readonly kind: 'any'}
  | {readonly kind: 'set'; readonly ranges: readonly Range[]; readonly isNegated: boolean}
  // `*`: any run without a slash.
  | {readonly kind: 'run'}
  // `**/`: any number of directories; with `isSome`, at least one.
  | {readonly kind: 'directories'; readonly isSome: boolean}
  // `**` at the end.
  | {readonly kind: 'rest'};

const SLASH = 47;
const CASE_GAP = 32;

// Pairs of first and last character.
const CLASSES: ReadonlyMap<string, readonly Range[]> = new Map(
  Object.entries({
    alnum: '09AZaz',
    alpha: 'AZaz',
    blank: '  \t\t',
    cntrl: '\0\x1f\x7f\x7f',
    digit: '09',
    graph: '!~',
    lower: 'az',
    print: ' ~',
    punct: '!/:@[`{~',
    space: '\t\n\r\r  ',
    upper: 'AZ',
    xdigit: '09AFaf',
  }).map(([name, bounds]) => [
    name,
    (bounds.match(/../gs) ?? []).map((pair): Range => [pair.charCodeAt(0), pair.charCodeAt(1)]),
  ]),
);

/** ASCII letters in lower case, as git folds them; other letters keep theirs. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Compiles a gitignore pattern (without `!`, the leading and the trailing slash) as git reads it, in time that grows
 * with pattern times text at worst, however many stars it has. With `ignoreCase` texts must come folded.
 * `acrossFolders` says that texts are paths, where only `**` crosses a slash. A malformed pattern matches nothing.
 */
export function compileWildcard(
  pattern: string,
  {acrossFolders, ignoreCase}: {acrossFolders: boolean; ignoreCase: boolean},
): Matcher {
  const tokens = new Parser(pattern, acrossFolders, ignoreCase).parse();
  if (tokens === undefined) return () => false;
  const last = tokens.at(-1);
  const lastCode = last?.kind === 'character' ? last.code : undefined;
  return (text) =>
    (lastCode === undefined || text.charCodeAt(text.length - 1) === lastCode) && matches(tokens, text, ignoreCase);
}

/**
 * Goes back to the last run, else to the last `**`: what an earlier one could yet take cannot help. Runs hot: no
 * destructuring.
 */
function matches(tokens: readonly Token[], text: string, ignoreCase: boolean): boolean {
  let at = 0;
  let index = 0;
  let run = -1;
  let runEnd = 0;
  let directories = -1;
  let nextSlash = -1;
  for (;;) {
    const token = tokens[index];
    if (token === undefined && at === text.length) return true;
    if (token?.kind === 'rest') return true;
    if (token?.kind === 'run') {
      run = index;
      runEnd = at;
      index += 1;
    } else if (token?.kind === 'directories') {
      run = -1;
      directories = index;
      nextSlash = text.indexOf('/', at);
      index += 1;
      if (!token.isSome) continue;
      if (nextSlash < 0) return false;
      at = nextSlash + 1;
      nextSlash = text.indexOf('/', at);
    } else if (token !== undefined && at < text.length && accepts(token, text.charCodeAt(at), ignoreCase)) {
      at += 1;
      index += 1;
    } else if (run >= 0 && runEnd < text.length && text.charCodeAt(runEnd) !== SLASH) {
      runEnd += 1;
      at = runEnd;
      index = run + 1;
    } else if (directories >= 0 && nextSlash >= 0) {
      at = nextSlash + 1;
      run = -1;
      index = directories + 1;
      nextSlash = text.indexOf('/', at);
    } else {
      return false;
    }
  }
}

function accepts(token: Token, code: number, ignoreCase: boolean): boolean {
  if (token.kind === 'character') return token.code === code;
  if (code === SLASH || token.kind !== 'set') return code !== SLASH;
  const upper = ignoreCase && code >= 97 && code <= 122 ? code - CASE_GAP : code;
  // Git folds the bounds of a range, but not a lone character of a set.
  const holds = token.ranges.some(
    ([low, high]) => (code >= low && code <= high) || (low < high && upper >= low && upper <= high),
  );
  return holds !== token.isNegated;
}

class Parser {
  #at = 0;

  constructor(
    readonly pattern: string,
    readonly acrossFolders: boolean,
    readonly ignoreCase: boolean,
  ) {}

  /** Undefined when the pattern can match nothing. */
  parse(): readonly Token[] | undefined {
    const tokens: Token[] = [];
    while (this.#at < this.pattern.length) {
      const token = this.#token();
      if (token === undefined) return undefined;
      tokens.push(token);
    }
    return tokens;
  }

  #token(): Token | undefined {
    const character = this.pattern[this.#at];
    if (character === '*') return this.#stars();
    if (character === '[') return this.#set();
    this.#at += 1;
    if (character === '?') return {kind: 'any'};
    if (character !== '\\') return {kind: 'character', code: this.#fold(this.pattern.charCodeAt(this.#at - 1))};
    if (this.#at === this.pattern.length) return undefined;
    this.#at += 1;
    return {kind: 'character', code: this.pattern.charCodeAt(this.#at - 1)};
  }

  #stars(): Token {
    const start = this.#at;
    while (this.pattern[this.#at] === '*') this.#at += 1;
    if (!this.acrossFolders || this.#at - start < 2 || !this.#isSegmentStart(start)) return {kind: 'run'};
    if (this.#at === this.pattern.length) return {kind: 'rest'};
    const separator = /^\\?\//.exec(this.pattern.slice(this.#at, this.#at + 2))?.[0];
    if (separator === undefined) return {kind: 'run'};
    this.#at += separator.length;
    return {kind: 'directories', isSome: separator.length > 1};
  }

  /** Git compares a literal beginning by itself, so what follows it counts as a start too. */
  #isSegmentStart(start: number): boolean {
    return this.pattern[start - 1] === '/' || !/[*?[\\]/.test(this.pattern.slice(0, start));
  }

  #set(): Token | undefined {
    this.#at += 1;
    const isNegated = this.pattern[this.#at] === '!' || this.pattern[this.#at] === '^';
    if (isNegated) this.#at += 1;
    const ranges: Range[] = [];
    // What a `-` that follows would start from; none after a range or a class.
    let previous: number | undefined;
    for (let isFirst = true; isFirst || this.pattern[this.#at] !== ']'; isFirst = false) {
      const name = /^\[:([^\]]*):\]/.exec(this.pattern.slice(this.#at))?.[1];
      if (name !== undefined) {
        const named = CLASSES.get(name);
        if (named === undefined) return undefined;
        ranges.push(...named);
        this.#at += name.length + '[::]'.length;
        previous = undefined;
        continue;
      }
      const isRange =
        this.pattern[this.#at] === '-' &&
        previous !== undefined &&
        ![undefined, ']'].includes(this.pattern[this.#at + 1]);
      if (isRange) this.#at += 1;
      const member = this.#member();
      if (member === undefined) return undefined;
      ranges.push([isRange && previous !== undefined ? previous : member, member]);
      previous = isRange ? undefined : member;
    }
    this.#at += 1;
    return {kind: 'set', ranges, isNegated};
  }

  #member(): number | undefined {
    if (this.pattern[this.#at] === '\\') this.#at += 1;
    if (this.#at >= this.pattern.length) return undefined;
    this.#at += 1;
    return this.pattern.charCodeAt(this.#at - 1);
  }

  #fold(code: number): number {
    return this.ignoreCase && code >= 65 && code <= 90 ? code + CASE_GAP : code;
  }
}
