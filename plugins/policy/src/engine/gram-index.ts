import {readRegexTree} from '../read/regex-tree.js';

const SIZE = 4;

/** A hash of four characters; equal ones may come from different characters, so what is found has to be looked at. */
function gramAt(text: string, at: number): number {
  return (
    ((text.charCodeAt(at) & 127) << 21) |
    ((text.charCodeAt(at + 1) & 127) << 14) |
    ((text.charCodeAt(at + 2) & 127) << 7) |
    (text.charCodeAt(at + 3) & 127)
  );
}

const BITS = 1 << 16;

function hashOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 16;
}

/** Finds, of many patterns, those that can match a text, by four characters that each of them cannot do without. */
export class GramIndex<T> {
  readonly #byGram = new Map<number, T[]>();
  /** A bit for each hash of a gram that is there: most of a text is passed over without a look-up. */
  readonly #bits = new Uint8Array(BITS / 8);

  /**
   * `entries` are things with the literal texts that a match must contain one of; each at least four characters long.
   */
  constructor(entries: readonly {readonly item: T; readonly literals: readonly string[]}[]) {
    const counts = countGrams(entries);
    for (const {item, literals} of entries) {
      for (const literal of literals) {
        const rarest = rarestOf(literal, counts);
        this.#bits[hashOf(rarest) >> 3] = (this.#bits[hashOf(rarest) >> 3] ?? 0) | (1 << (hashOf(rarest) & 7));
        const list = this.#byGram.get(rarest);
        if (list) list.push(item);
        else this.#byGram.set(rarest, [item]);
      }
    }
  }

  /** Everything that may match, in no order, some of it perhaps twice. */
  find(text: string, into: T[]): void {
    if (this.#byGram.size === 0) return;
    for (let at = 0; at + SIZE <= text.length; at += 1) {
      const gram = gramAt(text, at);
      const hash = hashOf(gram);
      if (((this.#bits[hash >> 3] ?? 0) & (1 << (hash & 7))) === 0) continue;
      for (const item of this.#byGram.get(gram) ?? []) into.push(item);
    }
  }
}

/** Whether a literal is long enough to be found by. */
export function isFindable(literal: string): boolean {
  return literal.length >= SIZE;
}

function countGrams(entries: readonly {readonly literals: readonly string[]}[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const {literals} of entries) {
    for (const literal of literals) {
      for (let at = 0; at + SIZE <= literal.length; at += 1)
        counts.set(gramAt(literal, at), (counts.get(gramAt(literal, at)) ?? 0) + 1);
    }
  }
  return counts;
}

function rarestOf(literal: string, counts: ReadonlyMap<number, number>): number {
  let [rarest, fewest] = [gramAt(literal, 0), Infinity];
  for (let at = 0; at + SIZE <= literal.length; at += 1) {
    const count = counts.get(gramAt(literal, at)) ?? 0;
    if (count < fewest) [rarest, fewest] = [gramAt(literal, at), count];
  }
  return rarest;
}

/** The longest text that every match of a glob contains, or nothing. */
export function literalOfGlob(glob: string): string {
  if (glob.startsWith('!')) return '';
  const plain = glob.replace(/[!?*+@]\(.*\)|\[[^\]]*\]|\{.*\}|\\./g, '*');
  if (/[(){}[\]|]/.test(plain)) return '';
  // A folder before or after `**` may be no folder at all, so the slash there is not sure.
  return longest(plain.split(/\/?\*\*+\/?|[*?]/).map((run) => run.replace(/\/+$/, '')));
}

/**
 * The longest text that every match of a regular expression contains, or nothing; looks only at what stands outside of
 * groups.
 */
export function literalOfRegex(source: string): string {
  if (/^[\w\s"':/,=@%#&<>~`;!-]*$/.test(source)) return source;
  const [items = [], ...others] = readRegexTree(source);
  if (others.length > 0) return '';
  const runs = [''];
  for (const {kind, source: atom, min, max} of items) {
    const char = kind === 'set' ? literalOfAtom(atom) : undefined;
    if (char !== undefined && min > 0) runs[runs.length - 1] += char;
    if (char === undefined || min !== 1 || max !== 1) runs.push('');
  }
  return longest(runs);
}

function literalOfAtom(atom: string): string | undefined {
  if (/^\\[^\w]$/.test(atom)) return atom.slice(1);
  return atom.length === 1 && atom !== '.' ? atom : undefined;
}

function longest(runs: readonly string[]): string {
  return runs.reduce((a, b) => (b.length > a.length ? b : a), '');
}
