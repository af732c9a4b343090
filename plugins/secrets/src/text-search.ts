/** Finds some texts in others. */
export interface TextSearch {
  /** The length of the longest text. */
  readonly longest: number;
  /** Each place where one of the texts stands, from left to right; at the same place the longest counts. */
  find(text: string): Iterable<{readonly index: number; readonly found: string}>;
}

/** A regular expression tries one text after the other at each place. */
const FEW = 64;
const HASH_BITS = 20;
const HASHED = 4;

/** Prepares the search for texts that are not empty, each given once. Its time does not grow with their number. */
export function createTextSearch(texts: readonly string[]): TextSearch {
  const sorted = [...texts].sort((a, b) => b.length - a.length);
  const longest = sorted[0]?.length ?? 0;
  return {longest, find: sorted.length <= FEW ? findFew(sorted) : findMany(sorted)};
}

function findFew(texts: readonly string[]): TextSearch['find'] {
  const source = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const pattern = new RegExp(source, 'g');
  return function* find(text) {
    if (!texts.some((one) => text.includes(one))) return;
    for (const {0: found, index} of text.matchAll(pattern)) yield {index, found};
  };
}

/**
 * Most places are ruled out by a hash of their first letters; at the others each length that a text has is looked up.
 */
function findMany(texts: readonly string[]): TextSearch['find'] {
  const letters = Math.min(HASHED, texts.at(-1)?.length ?? 0);
  const begins = new Uint8Array(2 ** HASH_BITS);
  for (const text of texts) begins[hashAt(text, 0, letters)] = 1;
  const known = new Set(texts);
  const lengths = [...new Set(texts.map(({length}) => length))];
  const longestAt = (text: string, at: number): string | undefined => {
    for (const length of lengths) {
      const part = at + length <= text.length ? text.slice(at, at + length) : undefined;
      if (part !== undefined && known.has(part)) return part;
    }
    return undefined;
  };
  return function* find(text) {
    for (let at = 0; at + letters <= text.length; at += 1) {
      const found = begins[hashAt(text, at, letters)] === 1 ? longestAt(text, at) : undefined;
      if (found === undefined) continue;
      yield {index: at, found};
      at += found.length - 1;
    }
  };
}

function hashAt(text: string, at: number, letters: number): number {
  let hash = 0;
  for (let index = at; index < at + letters; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash & (2 ** HASH_BITS - 1);
}

/**
 * Finds where the end of a text, from a place on, is the beginning of one of the texts and not all of it; gives the
 * length of the text when it is not.
 */
export function createOpenEnd(texts: readonly string[]): (text: string, start: number) => number {
  const sorted = [...texts].sort();
  const first = new Set(sorted.map((text) => text[0]));
  const longest = sorted.reduce((most, {length}) => Math.max(most, length), 0);
  const begins = (part: string): boolean => {
    const at = placeAfter(sorted, part);
    return sorted[at]?.startsWith(part) === true;
  };
  return (text, start) => {
    for (let at = Math.max(start, text.length - longest + 1); at < text.length; at += 1) {
      if (first.has(text[at]) && begins(text.slice(at))) return at;
    }
    return text.length;
  };
}

/** The first place in a sorted list of a text that comes after this one. */
function placeAfter(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') > text) high = middle;
    else low = middle + 1;
  }
  return low;
}
