import type {Change} from './floating.js';
import type {Flowed} from './flow.js';
import {changeRows} from './live-rows.js';

interface Anchor {
  /** The row of the first live row. */
  readonly top: number;
  /** Whether the terminal has saved where history ends; else its last row is the one above the live rows. */
  readonly isSaved: boolean;
  /** The rows of the screen. */
  readonly rows: number;
}

const ESC = '\u001b[';
const SAVE = '\u001b7';
const RESTORE = '\u001b8';
/** One row down; scrolls at the end of a region, and keeps the column. */
const INDEX = '\u001bD';
/** The saved cursor keeps the colours. */
const PLAIN = `${ESC}0m`;
const CURSOR = {hide: `${ESC}?25l`, show: `${ESC}?25h`};
const WHOLE_SCREEN = `${ESC}r`;

/** Prints text above live rows that stay where they are or move as a whole, and rewrites those that change. */
export function composeAnchored({shown, wanted, text}: Change, anchor: Anchor): {out: string; top: number} {
  let {top} = anchor;
  let out = '';
  if (text) {
    const free = anchor.rows - (top + shown.rows.length - 1);
    const moved = Math.min(free, text.rows);
    if (moved > 0) out += `${at(top)}${ESC}${moved}L`;
    out += printAbove(text, anchor, top + moved);
    top += moved;
  }
  const missing = Math.max(0, top + wanted.rows.length - 1 - anchor.rows);
  if (missing > 0) out += scrollAbove(top, missing, anchor.isSaved || text !== undefined);
  const rows = changeRows({top, rows: shown.rows}, {top: top - missing, rows: wanted.rows});
  top -= missing;
  const cursor = `${ESC}${top + wanted.row};${wanted.column + 1}H`;
  const isQuiet = out === '' && rows.length < 200;
  return {out: isQuiet ? rows + cursor : CURSOR.hide + out + rows + cursor + CURSOR.show, top};
}

/** Prints text into the region above `top`; what leaves it reaches the scrollback. */
function printAbove({text, isNewLine}: Flowed, {top, isSaved}: Anchor, newTop: number): string {
  const start = isSaved ? RESTORE : at(Math.max(1, top - 1));
  const lineEnd = isNewLine && (isSaved || top > 1) ? '\n' : '';
  return `${region(newTop - 1)}${start}${lineEnd}${text}${SAVE}${PLAIN}${WHOLE_SCREEN}`;
}

/**
 * Scrolls history up, to make room for live rows. Terminals differ in whether a saved cursor scrolls, so it is restored
 * first, moved with the text, and saved again.
 */
function scrollAbove(top: number, count: number, isSaved: boolean): string {
  if (!isSaved) return `${region(top - 1)}${at(top - 1)}${'\n'.repeat(count)}${WHOLE_SCREEN}`;
  const moved = `${RESTORE}${ESC}${top}B${INDEX.repeat(count)}${ESC}${count}A${SAVE}`;
  return `${region(top - 1)}${moved}${PLAIN}${WHOLE_SCREEN}`;
}

/** A region has at least two rows. */
function region(bottom: number): string {
  return bottom >= 2 ? `${ESC}1;${bottom}r` : '';
}

function at(row: number): string {
  return `${ESC}${row};1H`;
}
