import {isBlank, lineEnd, lineLast, lineStart, lineText, otherLine, type Cells} from './cells.js';

/** Where a motion leads, and what an operator takes on the way. */
export interface Reach {
  readonly to: number;
  readonly kind: 'exclusive' | 'inclusive' | 'line';
}

export interface MotionOptions {
  /** Absent: the person typed no number. */
  readonly count?: number | undefined;
  /** The character after `f`, `F`, `t` or `T`. */
  readonly argument?: string | undefined;
  readonly isRepeated?: boolean;
  /** Whether an operator waits for it. */
  readonly isForOperator?: boolean;
}

type Motion = (text: Cells, options: MotionOptions) => Reach | undefined;
type Step = (cells: readonly string[], at: number, isBig: boolean) => number;

const PAIRS = ['()', '[]', '{}'];

/** 0: blank, 1: a word, 2: other characters; with `isBig` all that is not blank is a word. */
export function kindOf(cell: string | undefined, isBig: boolean): number {
  if (cell === undefined || /^\s/.test(cell)) return 0;
  return isBig || /^[\p{L}\p{N}\p{M}_]/u.test(cell) ? 1 : 2;
}

function nextWord(cells: readonly string[], at: number, isBig: boolean): number {
  let index = at;
  const kind = kindOf(cells[index], isBig);
  while (kind !== 0 && index < cells.length && kindOf(cells[index], isBig) === kind) index += 1;
  while (index < cells.length && kindOf(cells[index], isBig) === 0) {
    // An empty line counts as a word.
    if (index > at && cells[index] === '\n' && cells[index - 1] === '\n') break;
    index += 1;
  }
  return index;
}

function previousWord(cells: readonly string[], at: number, isBig: boolean): number {
  let index = at - 1;
  while (index > 0 && kindOf(cells[index], isBig) === 0) index -= 1;
  const kind = kindOf(cells[index], isBig);
  while (index > 0 && kindOf(cells[index - 1], isBig) === kind) index -= 1;
  return Math.max(0, index);
}

function wordEnd(cells: readonly string[], at: number, isBig: boolean): number {
  let index = at + 1;
  while (index < cells.length && kindOf(cells[index], isBig) === 0) index += 1;
  const kind = kindOf(cells[index], isBig);
  while (index + 1 < cells.length && kindOf(cells[index + 1], isBig) === kind) index += 1;
  return Math.min(index, Math.max(0, cells.length - 1));
}

function previousEnd(cells: readonly string[], at: number, isBig: boolean): number {
  let index = at;
  const kind = kindOf(cells[index], isBig);
  while (kind !== 0 && index > 0 && kindOf(cells[index], isBig) === kind) index -= 1;
  while (index > 0 && kindOf(cells[index], isBig) === 0) index -= 1;
  return index;
}

function steps(step: Step, isBig: boolean, kind: Reach['kind']): Motion {
  return ({cells, at}, {count = 1}) => {
    let to = at;
    for (let left = count; left > 0; left -= 1) {
      const next = step(cells, to, isBig);
      if (next === to) break;
      to = next;
    }
    return {to, kind};
  };
}

/** Words forward; an operator does not join lines with it. */
function words(isBig: boolean): Motion {
  const move = steps(nextWord, isBig, 'exclusive');
  return (text, options) => {
    const reach = move(text, options);
    if (!reach || options.isForOperator !== true) return reach;
    let to = reach.to;
    while (to > text.at && kindOf(text.cells[to - 1], false) === 0) to -= 1;
    const end = text.cells.indexOf('\n', to);
    return end >= 0 && end < reach.to && end > text.at ? {...reach, to: end} : reach;
  };
}

function lines(by: 1 | -1): Motion {
  return ({cells, at}, {count = 1}) => {
    const start = otherLine(cells, at, by * count);
    if (start === lineStart(cells, at)) return undefined;
    return {to: Math.min(start + (at - lineStart(cells, at)), lineLast(cells, start)), kind: 'line'};
  };
}

function lineOf(usual: 'first' | 'last'): Motion {
  return ({cells}, {count}) => {
    const start =
      count === undefined && usual === 'last' ? lineStart(cells, cells.length) : otherLine(cells, 0, (count ?? 1) - 1);
    return {to: lineText(cells, start), kind: 'line'};
  };
}

/** `f` and `t`, or `F` and `T`; `isBefore` stops one short. */
function find(by: 1 | -1, isBefore: boolean): Motion {
  return ({cells, at}, {count = 1, argument, isRepeated}) => {
    // A repeated `t` must not stay where it is.
    let index = isBefore && isRepeated && cells[at + by] === argument ? at + by : at;
    for (let left = count; left > 0; left -= 1) {
      index = nextInLine(cells, index + by, by, argument);
      if (index < 0) return undefined;
    }
    return {to: isBefore ? index - by : index, kind: by > 0 ? 'inclusive' : 'exclusive'};
  };
}

function nextInLine(cells: readonly string[], from: number, by: 1 | -1, wanted: string | undefined): number {
  for (let index = from; cells[index] !== undefined && cells[index] !== '\n'; index += by)
    if (cells[index] === wanted) return index;
  return -1;
}

function paragraphs(by: 1 | -1): Motion {
  return ({cells, at}, {count = 1}) => {
    let index = at;
    for (let left = count; left > 0; left -= 1) {
      do index += by;
      while (index > 0 && index < cells.length && !(cells[index] === '\n' && cells[index - 1] === '\n'));
    }
    return {to: Math.max(0, Math.min(index, cells.length)), kind: 'exclusive'};
  };
}

function matching({cells, at}: Cells): Reach | undefined {
  const end = lineEnd(cells, at);
  let from = at;
  while (from < end && !PAIRS.join('').includes(cells[from] ?? '')) from += 1;
  const pair = PAIRS.find((one) => from < end && one.includes(cells[from] ?? ''));
  if (pair === undefined) return undefined;
  const by = cells[from] === pair[0] ? 1 : -1;
  let depth = 0;
  for (let index = from; index >= 0 && index < cells.length; index += by) {
    if (cells[index] === pair[0]) depth += by;
    if (cells[index] === pair[1]) depth -= by;
    if (depth === 0) return {to: index, kind: 'inclusive'};
  }
  return undefined;
}

/** The motions, by the keys that a person types. */
export const motions: ReadonlyMap<string, Motion> = new Map<string, Motion>([
  ['h', ({cells, at}, {count = 1}) => ({to: Math.max(lineStart(cells, at), at - count), kind: 'exclusive'})],
  ['l', ({cells, at}, {count = 1}) => ({to: Math.min(lineEnd(cells, at), at + count), kind: 'exclusive'})],
  [' ', ({cells, at}, {count = 1}) => ({to: Math.min(lineEnd(cells, at), at + count), kind: 'exclusive'})],
  ['j', (text, options) => lines(1)(text, options)],
  ['k', (text, options) => lines(-1)(text, options)],
  ['w', (text, options) => words(false)(text, options)],
  ['W', (text, options) => words(true)(text, options)],
  ['b', (text, options) => steps(previousWord, false, 'exclusive')(text, options)],
  ['B', (text, options) => steps(previousWord, true, 'exclusive')(text, options)],
  ['e', (text, options) => steps(wordEnd, false, 'inclusive')(text, options)],
  ['E', (text, options) => steps(wordEnd, true, 'inclusive')(text, options)],
  ['ge', (text, options) => steps(previousEnd, false, 'inclusive')(text, options)],
  ['gE', (text, options) => steps(previousEnd, true, 'inclusive')(text, options)],
  ['0', ({cells, at}) => ({to: lineStart(cells, at), kind: 'exclusive'})],
  ['^', ({cells, at}) => ({to: lineText(cells, at), kind: 'exclusive'})],
  ['_', ({cells, at}) => ({to: lineText(cells, at), kind: 'line'})],
  ['$', ({cells, at}, {count = 1}) => ({to: lineLast(cells, otherLine(cells, at, count - 1)), kind: 'inclusive'})],
  ['g_', ({cells, at}) => ({to: textEnd(cells, at), kind: 'inclusive'})],
  ['gg', (text, options) => lineOf('first')(text, options)],
  ['G', (text, options) => lineOf('last')(text, options)],
  ['f', (text, options) => find(1, false)(text, options)],
  ['F', (text, options) => find(-1, false)(text, options)],
  ['t', (text, options) => find(1, true)(text, options)],
  ['T', (text, options) => find(-1, true)(text, options)],
  ['{', (text, options) => paragraphs(-1)(text, options)],
  ['}', (text, options) => paragraphs(1)(text, options)],
  ['%', (text) => matching(text)],
]);

/** The last character of a line that is not blank. */
function textEnd(cells: readonly string[], at: number): number {
  let index = lineLast(cells, at);
  while (index > lineStart(cells, at) && isBlank(cells[index])) index -= 1;
  return index;
}
