import {foldLetter, textMask} from './fold-letter.js';
import type {PathUnits} from './unit-blocks.js';

/** The score of a letter alone, directly after the previous match, and by its position. */
const LETTER = 16;
const RUN = 10;
const IN_NAME = 3;
const START = {name: 14, folder: 14, word: 12, hump: 11, extension: 6};
/** What letters left out in between cost, beside one for each. */
const GAP = 3;
/** What the last name is worth when it begins as the text does, or is the text, without its extension or with it. */
const WHOLE = {begun: 60, stem: 140, name: 160};
/** Each letter of a path costs a part of a point, up to so many letters. */
const PARTS = 4;
const LONGEST_THAT_COSTS = 160;

const NOWHERE = -(2 ** 30);
const UNREACHABLE = NOWHERE / 2;
const [SLASH, DOT] = [47, 46];

/**
 * How well paths fit one text. Paths are relative and composed (NFC), with `/` between names and at the end of a
 * directory.
 */
export class PathQuery {
  /** As it is compared: composed, with `/` between names. */
  readonly text: string;
  /** Only paths whose `unitsMask` has all these bits can fit. */
  readonly mask: number;
  readonly #isExact: boolean;
  readonly #wanted: Uint16Array;
  readonly #tail: Uint16Array;
  /** Where each letter stands at the earliest and at the latest. */
  readonly #earliest: Int32Array;
  readonly #latest: Int32Array;
  #letters = new Uint16Array(512);
  #row = new Int32Array(512);
  #rowBefore = new Int32Array(512);

  /** Upper and lower case count as the same unless the text has capitals. */
  constructor(
    text: string,
    private readonly isFuzzy: boolean,
  ) {
    this.text = text
      .normalize('NFC')
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '');
    this.mask = textMask(this.text);
    this.#isExact = this.text !== this.text.toLowerCase();
    this.#wanted = Uint16Array.from({length: this.text.length}, (_, at) => this.#fold(this.text.charCodeAt(at)));
    const end = this.text.endsWith('/') ? this.text.length - 1 : this.text.length;
    this.#tail = this.#wanted.subarray(end === 0 ? 0 : this.text.lastIndexOf('/', end - 1) + 1, end);
    this.#earliest = new Int32Array(this.text.length);
    this.#latest = new Int32Array(this.text.length);
  }

  /** Whether everything that fits this one fits the other, too. */
  isNarrowerThan(other: PathQuery): boolean {
    return this.text.startsWith(other.text) && (other.isFuzzy || !this.isFuzzy);
  }

  /** The higher the better; undefined when the path does not fit. */
  score(path: PathUnits): number | undefined {
    const {length} = path;
    const cost = Math.min(length, LONGEST_THAT_COSTS);
    if (this.#wanted.length === 0) return -cost;
    this.#read(path);
    if (!this.#findBounds(length)) return undefined;
    const letters = this.#letters;
    const isFolder = letters[length - 1] === SLASH;
    let nameStart = isFolder ? length - 1 : length;
    while (nameStart > 0 && letters[nameStart - 1] !== SLASH) nameStart -= 1;
    const best = this.#align(path, nameStart);
    return best < UNREACHABLE ? undefined : PARTS * (best + this.#rateName(isFolder, nameStart, length)) - cost;
  }

  #fold(code: number): number {
    return this.#isExact ? code : foldLetter(code);
  }

  #read({block, start, length}: PathUnits): void {
    if (this.#letters.length < length) {
      this.#letters = new Uint16Array(2 * length);
      this.#row = new Int32Array(2 * length);
      this.#rowBefore = new Int32Array(2 * length);
    }
    const letters = this.#letters;
    // Two loops: this one takes most of the time of a path that does not fit.
    if (this.#isExact) for (let at = 0; at < length; at += 1) letters[at] = block[start + at] ?? 0;
    else for (let at = 0; at < length; at += 1) letters[at] = foldLetter(block[start + at] ?? 0);
  }

  /** Whether the letters occur in their order. */
  #findBounds(length: number): boolean {
    const [letters, wanted] = [this.#letters, this.#wanted];
    let at = length - 1;
    for (let index = wanted.length - 1; index >= 0; index -= 1, at -= 1) {
      while (at >= 0 && letters[at] !== wanted[index]) at -= 1;
      if (at < 0) return false;
      this.#latest[index] = at;
    }
    at = 0;
    for (let index = 0; index < wanted.length; index += 1, at += 1) {
      while (letters[at] !== wanted[index]) at += 1;
      this.#earliest[index] = at;
    }
    return true;
  }

  /** The best that choosing where each letter stands can give. */
  #align(path: PathUnits, nameStart: number): number {
    let best = this.#placeFirst(path, nameStart);
    for (let index = 1; index < this.#wanted.length; index += 1) {
      const before = this.#row;
      this.#row = this.#rowBefore;
      this.#rowBefore = before;
      // This row looks at places that the one before does not reach.
      before.fill(NOWHERE, (this.#latest[index - 1] ?? 0) + 1, (this.#latest[index] ?? 0) + 1);
      best = this.#placeNext(index, path, nameStart);
    }
    return best;
  }

  /** Fills the row with what it is worth that the first letter stands at each place, and gives the most. */
  #placeFirst(path: PathUnits, nameStart: number): number {
    const [letters, row, letter] = [this.#letters, this.#row, this.#wanted[0]];
    const last = this.#latest[0] ?? 0;
    let best = NOWHERE;
    for (let at = this.#earliest[0] ?? 0; at <= last; at += 1) {
      const value = letters[at] === letter ? LETTER + rateLetter(path, at, nameStart) : NOWHERE;
      row[at] = value;
      if (value > best) best = value;
    }
    return best;
  }

  /** The same with all letters up to this one. */
  #placeNext(index: number, path: PathUnits, nameStart: number): number {
    const [letters, row, before, letter] = [this.#letters, this.#row, this.#rowBefore, this.#wanted[index]];
    const first = (this.#earliest[index - 1] ?? 0) + 1;
    const last = this.#latest[index] ?? 0;
    let [best, inRow, apart] = [NOWHERE, before[first - 1] ?? NOWHERE, NOWHERE];
    for (let at = first; at <= last; at += 1) {
      let value = NOWHERE;
      if (letters[at] === letter) {
        const from = inRow + RUN > apart ? inRow + RUN : apart;
        if (from > UNREACHABLE) value = from + LETTER + rateLetter(path, at, nameStart);
      }
      row[at] = value;
      if (value > best) best = value;
      if (this.isFuzzy) apart = inRow - GAP > apart - 1 ? inRow - GAP : apart - 1;
      inRow = before[at] ?? NOWHERE;
    }
    return best;
  }

  #rateName(isFolder: boolean, start: number, length: number): number {
    const [letters, tail] = [this.#letters, this.#tail];
    if (tail.length === 0) return 0;
    for (let index = 0; index < tail.length; index += 1) if (letters[start + index] !== tail[index]) return 0;
    const rest = start + tail.length;
    if (rest === (isFolder ? length - 1 : length)) return WHOLE.name;
    return !isFolder && letters[rest] === DOT && letters.lastIndexOf(DOT, length - 1) === rest
      ? WHOLE.stem
      : WHOLE.begun;
  }
}

function rateLetter({block, start}: PathUnits, at: number, nameStart: number): number {
  const inName = at >= nameStart ? IN_NAME : 0;
  if (at === nameStart) return inName + START.name;
  if (at === 0) return inName + START.folder;
  const before = block[start + at - 1] ?? 0;
  if (before === SLASH) return inName + START.folder;
  if (before === DOT) return inName + START.extension;
  if (isBetweenWords(before)) return inName + START.word;
  return inName + (isHump(before, block[start + at] ?? 0) ? START.hump : 0);
}

/** - _ space and other signs, but not letters of any script. */
function isBetweenWords(code: number): boolean {
  return code < 0x80 && !isDigit(code) && !isLower(code) && !isUpper(code);
}

/** A capital after a small letter, or the first digit. */
function isHump(before: number, code: number): boolean {
  return (isUpper(code) && !isUpper(before)) || (isDigit(code) && !isDigit(before));
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
