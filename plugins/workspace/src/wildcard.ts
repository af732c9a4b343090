/** Tests a complete text. */
export type Matcher = (text: string) => boolean;

type Range = readonly [low: number, high: number];

interface CharacterSet {
  readonly kind: 'set';
  readonly ranges: readonly Range[];
  readonly isNegated: boolean;
}

type Token =
  | {readonly kind: 'character'; readonly code: number}
  | {readonly kind: 'any'}
  | CharacterSet
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

/** ASCII letters in lower case, as git folds them; other letters are unchanged. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Compiles a gitignore pattern (without `!`, the leading and the trailing slash) as git reads it, in worst-case time
 * of pattern times text, however many stars it has. With `ignoreCase`, pass case-folded texts. `acrossFolders` says
 * that texts are paths, where only `**` crosses a slash. A malformed pattern matches nothing.
 */
export function compileWildcard(
  pattern: string,
  {acrossFolders, ignoreCase}: {acrossFolders: boolean; ignoreCase: boolean},
): Matcher {
  const tokens = new Parser(pattern, acrossFolders, ignoreCase).parse();
  if (tokens === undefined) return () => false;
  const last = tokens.at(-1);
  const lastCode = last?.kind === 'character' ? last.code : undefined;
  const parts = divide(tokens);
  return (text) =>
    (lastCode === undefined || text.charCodeAt(text.length - 1) === lastCode) && matches(parts, text, ignoreCase);
}

/** The part between two `**`. */
interface Part {
  readonly tokens: readonly Token[];
  /** Whether the `**` before it takes at least one directory. */
  readonly isBelow: boolean;
  readonly isLast: boolean;
  /** Whether the text has to end where it ends. */
  readonly isToEnd: boolean;
}

function divide(tokens: readonly Token[]): readonly Part[] {
  const parts: Part[] = [];
  let own: Token[] = [];
  let isBelow = false;
  for (const token of tokens) {
    if (token.kind === 'directories') {
      parts.push({tokens: own, isBelow, isLast: false, isToEnd: false});
      [own, isBelow] = [[], token.isSome];
    } else if (token.kind !== 'rest') own.push(token);
  }
  return [...parts, {tokens: own, isBelow, isLast: true, isToEnd: tokens.at(-1)?.kind !== 'rest'}];
}

/** Backtracks to the last `**` only: an earlier one cannot help. Hot path: no destructuring. */
function matches(parts: readonly Part[], text: string, ignoreCase: boolean): boolean {
  let index = 0;
  let at = 0;
  let nextSlash = -1;
  for (let part = parts[0]; part !== undefined; part = parts[index]) {
    const end = matchPart(part, text, at, ignoreCase);
    if (end >= 0 && part.isLast) return true;
    if (end >= 0) {
      index += 1;
      at = end;
      nextSlash = text.indexOf('/', at);
      if (parts[index]?.isBelow !== true) continue;
    }
    if (index === 0 || nextSlash < 0) return false;
    at = nextSlash + 1;
    nextSlash = text.indexOf('/', at);
  }
  return false;
}

/** Where a part that begins at `at` ends, or -1. Backtracks to the last run only. Hot path, like `matches`. */
function matchPart(part: Part, text: string, at: number, ignoreCase: boolean): number {
  let index = 0;
  let run = -1;
  let runEnd = 0;
  for (;;) {
    const token = part.tokens[index];
    if (token === undefined && (!part.isToEnd || at === text.length)) return at;
    if (token?.kind === 'run') {
      run = index;
      runEnd = at;
      index += 1;
    } else if (token !== undefined && acceptsAt(token, text, at, ignoreCase)) {
      at += 1;
      index += 1;
    } else if (run >= 0 && runEnd < text.length && text.charCodeAt(runEnd) !== SLASH) {
      runEnd += 1;
      at = runEnd;
      index = run + 1;
    } else return -1;
  }
}

function acceptsAt(token: Token, text: string, at: number, ignoreCase: boolean): boolean {
  return at < text.length && accepts(token, text.charCodeAt(at), ignoreCase);
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

  /** Git compares a literal beginning separately, so what follows it counts as a start too. */
  #isSegmentStart(start: number): boolean {
    return this.pattern[start - 1] === '/' || !/[*?[\\]/.test(this.pattern.slice(0, start));
  }

  #set(): Token | undefined {
    this.#at += 1;
    const isNegated = ['!', '^'].includes(this.pattern[this.#at] ?? '');
    if (isNegated) this.#at += 1;
    const ranges: Range[] = [];
    // The start of a range if a `-` follows; undefined after a range or a class.
    let previous: number | undefined;
    for (let isFirst = true; isFirst || this.pattern[this.#at] !== ']'; isFirst = false) {
      const named = this.#className();
      if (named !== undefined) {
        const characters = CLASSES.get(named);
        if (characters === undefined) return undefined;
        ranges.push(...characters);
        previous = undefined;
        continue;
      }
      const low: number | undefined = this.#isRange() ? previous : undefined;
      if (low !== undefined) this.#at += 1;
      const member = this.#member();
      if (member === undefined) return undefined;
      ranges.push([low ?? member, member]);
      previous = low === undefined ? member : undefined;
    }
    this.#at += 1;
    return {kind: 'set', ranges, isNegated};
  }

  /** The name of a class such as `[:alpha:]` at this position, which is consumed. */
  #className(): string | undefined {
    const name = /^\[:([^\]]*):\]/.exec(this.pattern.slice(this.#at))?.[1];
    if (name !== undefined) this.#at += name.length + '[::]'.length;
    return name;
  }

  /** Whether there is a `-` here that another member follows. */
  #isRange(): boolean {
    return this.pattern[this.#at] === '-' && ![undefined, ']'].includes(this.pattern[this.#at + 1]);
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
