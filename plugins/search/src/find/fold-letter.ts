/** For each ASCII code its lower case, and the number of the bit that stands for it; 31 of none. */
const ASCII = 0x80;
const LOWER = Uint8Array.from({length: ASCII}, (_, code) => String.fromCharCode(code).toLowerCase().charCodeAt(0));
const BITS = 'abcdefghijklmnopqrstuvwxyz.-_/';
const DIGITS_BIT = BITS.length;
const BIT_OF = Uint8Array.from({length: ASCII}, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase();
  return letter >= '0' && letter <= '9' ? DIGITS_BIT : BITS.includes(letter) ? BITS.indexOf(letter) : DIGITS_BIT + 1;
});
const LETTERS_ONLY = (1 << (DIGITS_BIT + 1)) - 1;
const EVERYTHING = -1;

/** The lower case of one UTF-16 unit, as one unit; a unit that has none stays. */
export function foldLetter(code: number): number {
  if (code < ASCII) return LOWER[code] ?? code;
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** One bit for each letter among the units of a path: a text fits only paths that have all bits of its `textMask`. */
export function unitsMask(block: Uint16Array, start: number, length: number): number {
  let mask = 0;
  for (let at = start; at < start + length; at += 1) {
    const code = block[at] ?? 0;
    // What such letters become in lower case is not worth finding out here.
    if (code >= ASCII) return EVERYTHING;
    mask |= 1 << (BIT_OF[code] ?? 0);
  }
  return mask;
}

/** The bits that a path must have. */
export function textMask(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) {
    const bit = BIT_OF[text.charCodeAt(at)];
    if (bit !== undefined) mask |= 1 << bit;
  }
  return mask & LETTERS_ONLY;
}
