import {widthOf} from '@gemini-kernel/terminal';
import type {Flowed} from './flow.js';
import type {LiveView} from './live-view.js';

/**
 * What a narrower window does to rows that no longer fit. `none`: they are cut. `whole`: they are wrapped, and the
 * cursor stays at its character. `shifted`: the row of the cursor is cut, the others are wrapped, and the cursor moves
 * down by as many rows as they need more, even by those of rows below it (xterm.js).
 */
export type Reflow = 'none' | 'whole' | 'shifted';

export interface Change {
  readonly shown: LiveView;
  readonly wanted: LiveView;
  readonly text: Flowed | undefined;
}

const ESC = '\u001b[';

/** Hides from the eye what is between; terminals without this show it. */
export function synchronised(out: string): string {
  return `${ESC}?2026h${out}${ESC}?2026l`;
}

/** Erases the live rows; the cursor is then where the first one was. */
export function eraseRows({row}: Pick<LiveView, 'row'>, top?: number): string {
  return `${top === undefined ? `${up(row)}\r` : `${ESC}${top};1H`}${ESC}J`;
}

/** Draws live rows from the cursor on. */
export function drawRows({rows, row, column}: LiveView): string {
  return `${rows.join('\n')}${up(rows.length - 1 - row)}\r${column > 0 ? `${ESC}${column}C` : ''}`;
}

/** Erases the live rows, prints text above them, and draws them again; needs no position. */
export function composeFloating({shown, wanted, text}: Change, column: number): string {
  return eraseRows(shown) + (text ? continueHistory(text, column) : '') + drawRows(wanted);
}

/** From the start of the row below history. */
function continueHistory({text, isNewLine}: Flowed, column: number): string {
  return isNewLine ? `${text}\n` : `${ESC}A${ESC}${column + 1}G${text}\n`;
}

export interface Resized {
  readonly reflow: Reflow;
  /** The new width. */
  readonly columns: number;
  /** How many live rows the window may have lost at its bottom. */
  readonly lost: number;
}

/** How many live rows are above the cursor in the resized window; rather too few, since history must not be erased. */
export function rowsAbove({rows, row, column}: LiveView, {reflow, columns, lost}: Resized): number {
  if (reflow === 'none') return row;
  const kept = rows.slice(0, Math.max(row + 1, rows.length - lost));
  const further = kept.map((text) => Math.max(0, Math.ceil(widthOf(text) / columns) - 1));
  if (reflow === 'shifted') return shiftedRow(further, row);
  return further.slice(0, row).reduce((sum, one) => sum + one, row + Math.floor(column / columns));
}

/**
 * Where the cursor is when rows are wrapped from the last one to the first. The row that is cut is the one where the
 * cursor is by then, which need not be its own.
 */
function shiftedRow(further: readonly number[], row: number): number {
  return further.reduceRight((at, one, index) => (index === at ? at : at + one), row);
}

function up(count: number): string {
  return count > 0 ? `${ESC}${count}A` : '';
}
