import {isBlank, lineEnd, lineStart, otherLine, type Cells} from './cells.js';
import {kindOf} from './motions.js';

/** A part of a text: from its first character to the one after its last. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly isLine: boolean;
}

const BRACKETS: Readonly<Record<string, string>> = {
  '(': '()',
  ')': '()',
  b: '()',
  '[': '[]',
  ']': '[]',
  '{': '{}',
  '}': '{}',
  B: '{}',
  '<': '<>',
  '>': '<>',
};

/** Characters that name a text object after `i` or `a`. */
export const objectNames: ReadonlySet<string> = new Set([...Object.keys(BRACKETS), ...'wWp"\'`']);

/** What `i` or `a` with a name means at the cursor. */
export function findObject(text: Cells, name: string, isAround: boolean): Range | undefined {
  if (name === 'w' || name === 'W') return findWord(text, name === 'W', isAround);
  if (name === 'p') return findParagraph(text, isAround);
  const pair = BRACKETS[name];
  return pair === undefined ? findQuoted(text, name, isAround) : findBracketed(text, pair, isAround);
}

function findWord({cells, at}: Cells, isBig: boolean, isAround: boolean): Range | undefined {
  if (cells.length === 0) return undefined;
  const [first, end] = [lineStart(cells, at), lineEnd(cells, at)];
  const kind = kindOf(cells[at], isBig);
  let [from, to] = [at, at];
  while (from > first && kindOf(cells[from - 1], isBig) === kind) from -= 1;
  while (to < end && kindOf(cells[to], isBig) === kind) to += 1;
  if (!isAround) return {from, to, isLine: false};
  const after = to;
  while (to < end && isBlank(cells[to])) to += 1;
  while (to === after && from > first && isBlank(cells[from - 1])) from -= 1;
  return {from, to, isLine: false};
}

function findQuoted({cells, at}: Cells, quote: string, isAround: boolean): Range | undefined {
  const end = lineEnd(cells, at);
  const marks: number[] = [];
  for (let index = lineStart(cells, at); index < end; index += 1)
    if (cells[index] === quote && cells[index - 1] !== '\\') marks.push(index);
  for (let index = 0; index + 1 < marks.length; index += 2) {
    const [from = 0, to = 0] = marks.slice(index, index + 2);
    if (to < at) continue;
    if (!isAround) return {from: from + 1, to, isLine: false};
    let after = to + 1;
    while (after < end && isBlank(cells[after])) after += 1;
    return {from, to: after, isLine: false};
  }
  return undefined;
}

function findBracketed({cells, at}: Cells, pair: string, isAround: boolean): Range | undefined {
  const from = outward(cells, at, {by: -1, open: pair[1], close: pair[0]});
  const to = outward(cells, at, {by: 1, open: pair[0], close: pair[1]});
  if (from === undefined || to === undefined) return undefined;
  return isAround ? {from, to: to + 1, isLine: false} : {from: from + 1, to, isLine: false};
}

interface Outward {
  readonly by: 1 | -1;
  readonly open: string | undefined;
  readonly close: string | undefined;
}

/** The bracket that closes what surrounds an index, in one direction. */
function outward(cells: readonly string[], at: number, {by, open, close}: Outward): number | undefined {
  let depth = 0;
  for (let index = at; index >= 0 && index < cells.length; index += by) {
    if (cells[index] === close) {
      if (depth === 0) return index;
      depth -= 1;
    } else if (cells[index] === open && index !== at) depth += 1;
  }
  return undefined;
}

function findParagraph({cells, at}: Cells, isAround: boolean): Range {
  const isEmpty = (start: number): boolean => lineEnd(cells, start) === start;
  const kind = isEmpty(lineStart(cells, at));
  let from = lineStart(cells, at);
  while (from > 0 && isEmpty(otherLine(cells, from, -1)) === kind) from = otherLine(cells, from, -1);
  let to = lineEnd(cells, at);
  const grow = (wanted: boolean): void => {
    while (to < cells.length && isEmpty(to + 1) === wanted) to = lineEnd(cells, to + 1);
  };
  grow(kind);
  if (isAround) grow(!kind);
  return {from, to, isLine: true};
}
