import {actions} from './actions.js';
import {lineEnd, lineStart, type Cells} from './cells.js';
import {operate, type Outcome} from './operate.js';
import type {Command} from './read-command.js';
import type {Registers} from './registers.js';
import type {Range} from './text-objects.js';

/** Commands that stand for an operator over the selection. */
const SHORT: Readonly<Record<string, {readonly operator: string; readonly isLine?: boolean}>> = {
  x: {operator: 'd'},
  s: {operator: 'c'},
  u: {operator: 'gu'},
  U: {operator: 'gU'},
  '~': {operator: 'g~'},
  D: {operator: 'd', isLine: true},
  C: {operator: 'c', isLine: true},
  S: {operator: 'c', isLine: true},
  Y: {operator: 'y', isLine: true},
};

/** What a command does with a selection. */
export interface OverSelection {
  readonly outcome: Outcome;
  /** The command that `.` repeats: it takes as much again. */
  readonly repeats?: Command;
}

/** The selected part of a text. */
export function selectionOf({cells, at}: Cells, anchor: number, isLine: boolean): Range {
  const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
  return isLine
    ? {from: lineStart(cells, first), to: lineEnd(cells, last), isLine}
    : {from: first, to: Math.min(last + 1, cells.length), isLine};
}

/** Runs a command over a selection; undefined if there is nothing to do. */
export function overSelection(
  text: Cells,
  selection: Range,
  {operator, action = '', argument = '', register}: Command,
  registers: Registers,
): OverSelection | undefined {
  const meant = operator === undefined ? SHORT[action] : {operator};
  if (meant) {
    const range = meant.isLine === true ? wholeLines(text.cells, selection) : selection;
    registers.keep(text.cells, range, meant.operator, register);
    const outcome = operate(meant.operator, text, range);
    if (meant.operator === 'y') return {outcome: {...outcome, at: range.from}};
    return {outcome, repeats: repetition(meant.operator, text.cells, range)};
  }
  const {from, to} = selection;
  const replaced = (by: readonly string[]): readonly string[] => [
    ...text.cells.slice(0, from),
    ...by,
    ...text.cells.slice(to),
  ];
  if (action === 'r') {
    const changed = text.cells.slice(from, to).map((cell) => (cell === '\n' ? cell : argument));
    return {outcome: {cells: replaced(changed), at: from}};
  }
  if (action === 'J') {
    const outcome = actions.get('J')?.({...text, at: from}, Math.max(2, linesIn(text.cells, selection)), '');
    return outcome && {outcome};
  }
  const cut = registers.get(register);
  if (!cut) return undefined;
  registers.keep(text.cells, selection, 'd');
  return {outcome: {cells: replaced(cut.cells), at: from + Math.max(0, cut.cells.length - 1)}};
}

function wholeLines(cells: readonly string[], {from, to}: Range): Range {
  return {from: lineStart(cells, from), to: lineEnd(cells, Math.max(from, to - 1)), isLine: true};
}

function linesIn(cells: readonly string[], {from, to}: Range): number {
  return cells.slice(from, to).filter((cell) => cell === '\n').length + 1;
}

function repetition(operator: string, cells: readonly string[], range: Range): Command {
  return range.isLine
    ? {operator, isLine: true, count: linesIn(cells, range)}
    : {operator, motion: 'l', count: range.to - range.from};
}
