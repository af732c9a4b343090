import {widthOf} from '@gemini-kernel/terminal';

const ESC = '\u001b[';

/** Rows of a screen from `top` on, counted from 1. */
export interface Placed {
  readonly top: number;
  readonly rows: readonly string[];
}

/**
 * What changes the rows that are shown into other ones. Rows are written from top to bottom over the old ones, so a row
 * that only moves up is never missing; what is left of an old row is removed last.
 */
export function changeRows(shown: Placed, wanted: Placed): string {
  const old = (row: number): string => shown.rows[row - shown.top] ?? '';
  let out = '';
  wanted.rows.forEach((text, index) => {
    out += changeRow(old(wanted.top + index), text, wanted.top + index);
  });
  const end = wanted.top + wanted.rows.length;
  for (let row = Math.max(shown.top, end); row < shown.top + shown.rows.length; row += 1)
    if (old(row) !== '') out += `${ESC}${row};1H${ESC}K`;
  return out;
}

function changeRow(old: string, text: string, row: number): string {
  if (old === text) return '';
  const kept = keptStart(old, text);
  const column = widthOf(text.slice(0, kept)) + 1;
  const rest = widthOf(old) > widthOf(text) ? `${ESC}K` : '';
  return `${ESC}${row};${column}H${text.slice(kept)}${rest}`;
}

/** How much both rows have in common at their start, up to the first colour; only ASCII is certain to stay in place. */
function keptStart(old: string, text: string): number {
  let at = 0;
  while (at < text.length && text[at] === old[at] && isPlain(text.charCodeAt(at))) at += 1;
  // A combining character may follow.
  return isPlain(text.charCodeAt(at)) || at === 0 || text.charCodeAt(at) === 0x1b ? at : at - 1;
}

function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}
