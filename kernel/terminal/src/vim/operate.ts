import {lineEnd, lineStart, lineText, otherLine, type Cells} from './cells.js';
import {motions, kindOf, type MotionOptions} from './motions.js';
import type {Command} from './read-command.js';
import {findObject, type Range} from './text-objects.js';

const INDENT = [' ', ' '];

/** A text after a command; `isInsert`: the person now types. */
export interface Outcome extends Cells {
  readonly isInsert?: boolean;
}

/** The part of a text that an operator takes, or undefined if there is none. */
export function rangeOf(text: Cells, command: Command): Range | undefined {
  const {cells, at} = text;
  const {count = 1, motion, object, isLine = false} = command;
  if (isLine) return {from: lineStart(cells, at), to: lineEnd(cells, otherLine(cells, at, count - 1)), isLine};
  if (object) return findObject(text, object.name, object.isAround);
  return motion === undefined ? undefined : rangeOfMotion(text, motion, command);
}

function rangeOfMotion(text: Cells, motion: string, command: Command): Range | undefined {
  const {cells, at} = text;
  const options: MotionOptions = {...command, isForOperator: true};
  const isToEnd = command.operator === 'c' && motion.toLowerCase() === 'w' && kindOf(cells[at], false) !== 0;
  const reach = isToEnd
    ? motions.get(motion === 'w' ? 'e' : 'E')?.({cells, at: at - 1}, options)
    : motions.get(motion)?.(text, options);
  if (!reach) return undefined;
  const [from, to] = [Math.min(at, reach.to), Math.max(at, reach.to)];
  if (reach.kind === 'line') return {from: lineStart(cells, from), to: lineEnd(cells, to), isLine: true};
  const end = reach.kind === 'inclusive' ? Math.min(to + 1, cells.length) : to;
  return from === end ? undefined : {from, to: end, isLine: false};
}

/** Applies an operator to a part of a text. */
export function operate(operator: string, {cells, at}: Cells, range: Range): Outcome {
  const {from, to, isLine} = range;
  switch (operator) {
    case 'y':
      return {cells, at: isLine ? at : from};
    case 'c':
      return {cells: [...cells.slice(0, from), ...cells.slice(to)], at: from, isInsert: true};
    case 'd':
      return remove(cells, range);
    case '>':
    case '<':
      return indent(cells, range, operator === '>');
    default: {
      const changed = cells.slice(from, to).map((cell) => changeCase(cell, operator));
      return {cells: [...cells.slice(0, from), ...changed, ...cells.slice(to)], at: from};
    }
  }
}

function remove(cells: readonly string[], {from, to, isLine}: Range): Outcome {
  if (!isLine) return {cells: [...cells.slice(0, from), ...cells.slice(to)], at: from};
  const isLast = to >= cells.length;
  const left = [...cells.slice(0, isLast ? Math.max(0, from - 1) : from), ...cells.slice(to + 1)];
  return {cells: left, at: lineText(left, Math.min(from, left.length))};
}

function indent(cells: readonly string[], {from, to}: Range, isDeeper: boolean): Outcome {
  const lines = cells.slice(lineStart(cells, from), lineEnd(cells, to)).join('').split('\n');
  const changed = lines.map((line) =>
    isDeeper ? (line === '' ? '' : INDENT.join('') + line) : line.replace(/^(?: {1,2}|\t)/, ''),
  );
  const start = lineStart(cells, from);
  const next = [...cells.slice(0, start), ...changed.join('\n'), ...cells.slice(lineEnd(cells, to))];
  return {cells: next, at: lineText(next, start)};
}

/** Changes the case of a character: to lower, to upper, or to the other one. */
export function changeCase(cell: string, operator: string): string {
  const lower = cell.toLowerCase();
  if (operator === 'gu') return lower;
  return operator === 'gU' || cell === lower ? cell.toUpperCase() : lower;
}
