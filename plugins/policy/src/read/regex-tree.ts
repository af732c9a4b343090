/** One atom of a regular expression with its quantifier. */
export interface RegexItem {
  /**
   * `set` takes one character; `group` holds alternatives; `look` looks around; `mark` is a place (`^`, `$`, `\b`);
   * `reference` repeats a group.
   */
  readonly kind: 'set' | 'group' | 'look' | 'mark' | 'reference';
  /** The atom as written, without its quantifier. */
  readonly source: string;
  readonly min: number;
  /** Infinity when nothing bounds it. */
  readonly max: number;
  /** Of groups and looks; empty for others. */
  readonly options: readonly RegexSequence[];
}

export type RegexSequence = readonly RegexItem[];

/** The alternatives of a regular expression that `new RegExp` accepts (no flags), as a tree. */
export function readRegexTree(pattern: string): readonly RegexSequence[] {
  return new RegexReader(pattern).readOptions();
}

/** A character that means itself and is not repeated: most of any pattern. */
const PLAIN = /[\w\s"':/,=@%#&<>~`;!-](?![*+?{])/y;
const GROUP_START = /\((?:\?(?::|=|!|<=|<!|<[^>=!]*>|[a-z]*-?[a-z]*:))?/y;
const SET = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[1-9]\d*|[\s\S])/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

class RegexReader {
  #at = 0;

  constructor(private readonly pattern: string) {}

  readOptions(): readonly RegexSequence[] {
    const options: RegexItem[][] = [[]];
    while (this.#at < this.pattern.length && this.pattern[this.#at] !== ')') {
      if (this.pattern[this.#at] === '|') {
        this.#at += 1;
        options.push([]);
      } else {
        options.at(-1)?.push(this.#readItem());
      }
    }
    return options;
  }

  #readItem(): RegexItem {
    const plain = this.#take(PLAIN);
    if (plain !== undefined) return {kind: 'set', source: plain, options: [], min: 1, max: 1};
    const start = this.#take(GROUP_START);
    const atom = start === undefined ? this.#readAtom() : this.#readGroup(start);
    const quantifier = this.#take(QUANTIFIER);
    return {...atom, ...(quantifier === undefined ? {min: 1, max: 1} : boundsOf(quantifier))};
  }

  #readGroup(start: string): Pick<RegexItem, 'kind' | 'source' | 'options'> {
    const from = this.#at - start.length;
    const options = this.readOptions();
    this.#at += 1;
    return {kind: /[=!]$/.test(start) ? 'look' : 'group', source: this.pattern.slice(from, this.#at), options};
  }

  #readAtom(): Pick<RegexItem, 'kind' | 'source' | 'options'> {
    const source = this.#take(SET) ?? this.#take(ESCAPE) ?? this.#next();
    const isMark = source === '^' || source === '$' || source === '\\b' || source === '\\B';
    return {kind: isMark ? 'mark' : /^\\(?:k<|[1-9])/.test(source) ? 'reference' : 'set', source, options: []};
  }

  #next(): string {
    this.#at += 1;
    return this.pattern.slice(this.#at - 1, this.#at);
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function boundsOf(quantifier: string): {readonly min: number; readonly max: number} {
  if (quantifier.startsWith('*')) return {min: 0, max: Infinity};
  if (quantifier.startsWith('+')) return {min: 1, max: Infinity};
  if (quantifier.startsWith('?')) return {min: 0, max: 1};
  const [, low = '0', comma, high] = /\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  return {min: Number(low), max: comma ? (high ? Number(high) : Infinity) : Number(low)};
}
