/** A set of characters: ranges in order that neither touch nor overlap. */
export type CodePoints = readonly (readonly [first: number, last: number])[];

export const LAST_CODE_POINT = 0x10ffff;

/** The set of all that lies in any of the ranges, which may be in any order. */
export function codePoints(ranges: CodePoints): CodePoints {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** Every character that is not in the set. */
export function allBut(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) gaps.push([next, LAST_CODE_POINT]);
  return gaps;
}

/** What is in the set and not in the other. */
export function without(set: CodePoints, other: CodePoints): CodePoints {
  return allBut(codePoints([...allBut(set), ...other]));
}
