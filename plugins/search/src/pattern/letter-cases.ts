import {codePoints, type CodePoints} from './code-points.js';

/** Where letters with cases are, for not everything has to be asked for its case. */
const CASED: CodePoints = [
  ...([
    [0x41, 0x587],
    [0x10a0, 0x10ff],
    [0x13a0, 0x13fd],
    [0x1c80, 0x1cbf],
    [0x1d79, 0x1fff],
    [0x2126, 0x218f],
    [0x24b6, 0x24e9],
    [0x2c00, 0x2d2d],
  ] as const),
  ...([
    [0xa640, 0xa7ff],
    [0xab53, 0xabbf],
    [0xff21, 0xff5a],
    [0x10400, 0x105bc],
    [0x10c80, 0x10d85],
    [0x118a0, 0x118df],
    [0x16e40, 0x16ed3],
    [0x1e900, 0x1e943],
  ] as const),
];

/** Unicode's simple case folding joins these, though neither is the other's upper or lower case. */
const JOINED = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
] as const;

/**
 * Gives sets of characters the other cases of their letters, as Unicode's simple case folding does. So an engine needs
 * no switch for case: what it knows of letters would depend on its version, and JavaScript's switch changes what `\b`
 * is.
 */
export function letterCases(): (set: CodePoints) => CodePoints {
  let table: ReadonlyMap<number, readonly number[]> | undefined;
  return (set) => {
    const others: (readonly [number, number])[] = [];
    for (const [first, last] of set) {
      if (last < 0x80) others.push(...asciiCases(first, last));
      else {
        table ??= caseTable();
        for (const [letter, cases] of table)
          if (letter >= first && letter <= last) others.push(...cases.map((other) => [other, other] as const));
      }
    }
    return codePoints([...set, ...others]);
  };
}

function asciiCases(first: number, last: number): CodePoints {
  const others: (readonly [number, number])[] = [];
  for (let letter = first; letter <= last; letter += 1) {
    if (!/[A-Za-z]/.test(String.fromCharCode(letter))) continue;
    others.push([letter ^ 0x20, letter ^ 0x20]);
    const lower = letter | 0x20;
    // The long s and the Kelvin sign.
    if (lower === 0x73) others.push([0x17f, 0x17f]);
    if (lower === 0x6b) others.push([0x212a, 0x212a]);
  }
  return others;
}

/** Every letter that has other cases, with them. */
function caseTable(): Map<number, readonly number[]> {
  const families = new Map<number, number[]>();
  for (const [first, last] of CASED) {
    for (let letter = first; letter <= last; letter += 1) {
      const key = folded(letter);
      const family = families.get(key);
      if (family === undefined) families.set(key, [letter]);
      else family.push(letter);
    }
  }
  const table = new Map<number, readonly number[]>(
    JOINED.flatMap(
      ([a, b]) =>
        [
          [a, [b]],
          [b, [a]],
        ] as const,
    ),
  );
  for (const family of families.values()) if (family.length > 1) for (const letter of family) table.set(letter, family);
  return table;
}

function folded(letter: number): number {
  // The Turkish i with a dot and the one without have no other case.
  if (letter === 0x130 || letter === 0x131) return letter;
  const text = String.fromCodePoint(letter);
  const upper = text.toUpperCase();
  return onlyLetter((onlyLetter(upper) === undefined ? text : upper).toLowerCase()) ?? letter;
}

function onlyLetter(text: string): number | undefined {
  const letter = text.codePointAt(0) ?? 0;
  return text.length === String.fromCodePoint(letter).length ? letter : undefined;
}
