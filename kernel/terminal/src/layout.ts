import {widthOf, type Graphemes} from './graphemes.js';
import type {InputView} from './line-input.js';
import {withoutStyle} from './style.js';

/** Rows of a screen, and the position of the cursor. */
export interface Layout {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

const INDENT = '  ';
const TAB = 8;

/** Places a prompt on rows of `columns`, at most `most` of them: those around the cursor. */
export function layoutInput({label, cells, cursor}: InputView, columns: number, most: number): Layout {
  const rows: string[] = [];
  let [row, width] = [fitLabel(label, columns), 0];
  width = widthOf(row);
  let place = {row: 0, column: width};
  cells.forEach((cell, index) => {
    const cellWidth = cell === '\n' ? 0 : Math.min(widthOf(cell), columns - 1);
    if (cell !== '\n' && width + cellWidth > columns - 1 && width > 0) {
      rows.push(row);
      [row, width] = ['', 0];
    }
    if (index === cursor) place = {row: rows.length, column: width};
    if (cell === '\n') {
      rows.push(row);
      row = columns > 20 ? INDENT : '';
      width = row.length;
    } else {
      row += widthOf(cell) > cellWidth ? cell.slice(0, cellWidth) : cell;
      width += cellWidth;
    }
  });
  if (cursor >= cells.length) place = {row: rows.length, column: width};
  rows.push(row);
  if (rows.length <= most) return {rows, ...place};
  const first = Math.max(0, Math.min(place.row - Math.floor(most / 2), rows.length - most));
  return {rows: rows.slice(first, first + most), row: place.row - first, column: place.column};
}

function fitLabel(label: string, columns: number): string {
  return widthOf(label) < columns / 2
    ? label
    : label.length > 2 && columns > 8
      ? `${label.slice(0, Math.floor(columns / 2) - 2)}… `
      : '';
}

/** The prompt as it stays on the screen: lines for the terminal to wrap. */
export function inputText({label, cells}: InputView): string {
  return label + cells.map((cell) => (cell === '\n' ? `\n${INDENT}` : cell)).join('');
}

/**
 * The column in which a text ends that starts in column `from` and is wrapped by the terminal; `columns` itself means a
 * row that is exactly full.
 */
export function columnAfter(text: string, columns: number, graphemes: Graphemes, from = 0): number {
  const bare = withoutStyle(text);
  if (/^[\u0020-\u007e]*$/.test(bare))
    return from + bare.length <= columns ? from + bare.length : ((from + bare.length - 1) % columns) + 1;
  let column = from;
  for (const one of graphemes.split(bare)) {
    if (one === '\t') column = Math.min(columns - 1, column - (column % TAB) + TAB);
    else {
      const width = widthOf(one);
      column = column + width > columns ? width : column + width;
    }
  }
  return column;
}
