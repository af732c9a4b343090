import {isBlank, lineEnd, lineStart, lineText, type Cells} from './cells.js';
import {changeCase, type Outcome} from './operate.js';

/** What was cut or copied. */
export interface Cut {
  readonly cells: readonly string[];
  readonly isLine: boolean;
}

type Action = (text: Cells, count: number, argument: string) => Outcome;

/** Commands that change the text, or where the person types. */
export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['i', ({cells, at}) => ({cells, at, isInsert: true})],
  ['a', ({cells, at}) => ({cells, at: Math.min(at + 1, lineEnd(cells, at)), isInsert: true})],
  ['I', ({cells, at}) => ({cells, at: lineText(cells, at), isInsert: true})],
  ['A', ({cells, at}) => ({cells, at: lineEnd(cells, at), isInsert: true})],
  ['o', ({cells, at}) => insert(cells, lineEnd(cells, at), {text: ['\n'], at: 1})],
  ['O', ({cells, at}) => insert(cells, lineStart(cells, at), {text: ['\n'], at: 0})],
  ['~', toggleCase],
  ['r', replace],
  ['J', join],
]);

function insert(
  cells: readonly string[],
  from: number,
  added: {readonly text: readonly string[]; readonly at: number},
): Outcome {
  return {cells: [...cells.slice(0, from), ...added.text, ...cells.slice(from)], at: from + added.at, isInsert: true};
}

function toggleCase({cells, at}: Cells, count: number): Outcome {
  const to = Math.min(at + count, lineEnd(cells, at));
  const changed = cells.slice(at, to).map((cell) => changeCase(cell, 'g~'));
  return {cells: [...cells.slice(0, at), ...changed, ...cells.slice(to)], at: to};
}

function replace({cells, at}: Cells, count: number, argument: string): Outcome {
  // As in vim, a count that is longer than the line does nothing.
  if (at + count > lineEnd(cells, at)) return {cells, at};
  const changed = Array.from({length: count}, () => argument);
  return {cells: [...cells.slice(0, at), ...changed, ...cells.slice(at + count)], at: at + count - 1};
}

/** Joins lines with one blank. */
function join({cells, at}: Cells, count: number): Outcome {
  let text: Cells = {cells, at};
  for (let left = Math.max(1, count - 1); left > 0; left -= 1) {
    const end = lineEnd(text.cells, text.at);
    if (end >= text.cells.length) break;
    let next = end + 1;
    while (isBlank(text.cells[next])) next += 1;
    const isClose = end === 0 || isBlank(text.cells[end - 1]) || next >= text.cells.length || text.cells[next] === '\n';
    text = {cells: [...text.cells.slice(0, end), ...(isClose ? [] : [' ']), ...text.cells.slice(next)], at: end};
  }
  return text;
}

/** Inserts what was cut, after the cursor or before it. */
export function put(
  {cells, at}: Cells,
  cut: Cut,
  {count, isBefore}: {readonly count: number; readonly isBefore: boolean},
): Outcome {
  const added = Array.from({length: count}, () => cut.cells);
  if (!cut.isLine) {
    const from = isBefore ? at : Math.min(at + 1, lineEnd(cells, at));
    const text = added.flat();
    return {cells: [...cells.slice(0, from), ...text, ...cells.slice(from)], at: from + Math.max(0, text.length - 1)};
  }
  if (isBefore) {
    const from = lineStart(cells, at);
    const text = added.flatMap((one) => [...one, '\n']);
    const next = [...cells.slice(0, from), ...text, ...cells.slice(from)];
    return {cells: next, at: lineText(next, from)};
  }
  const from = lineEnd(cells, at);
  const text = added.flatMap((one) => ['\n', ...one]);
  const next = [...cells.slice(0, from), ...text, ...cells.slice(from)];
  return {cells: next, at: lineText(next, from + 1)};
}
