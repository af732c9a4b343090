import {fitWidth, safeLine, widthOf, type Graphemes, type Paint} from '@gemini-kernel/terminal';
import type {ViewItem} from '../../views.js';

interface RowParts {
  readonly columns: number;
  readonly paint: Paint;
  readonly graphemes: Graphemes;
}

interface Listed {
  readonly items: readonly ViewItem[];
  readonly marked: number;
}

/** The rows of one item: its line, and where a text was found in it. */
function itemRows({label, details, found}: ViewItem, isMarked: boolean, parts: RowParts): readonly string[] {
  const {columns, paint, graphemes} = parts;
  const right = details === undefined ? '' : fitWidth(`  ${safeLine(details)}`, Math.floor(columns / 2), graphemes);
  const left = fitWidth(`${isMarked ? '❯' : ' '} ${safeLine(label)}`, columns - widthOf(right), graphemes);
  const blank = ' '.repeat(Math.max(0, columns - widthOf(left) - widthOf(right)));
  const line = isMarked ? paint('code', left + blank + right) : left + blank + paint('dim', right);
  return found === undefined ? [line] : [line, paint('dim', fitWidth(`    ${safeLine(found)}`, columns, graphemes))];
}

/** At most `most` rows of a list, around the marked item. Only these are made, however long the list is. */
export function listRows({items, marked}: Listed, most: number, parts: RowParts): readonly string[] {
  const rows = (at: number): readonly string[] => {
    const item = items[at];
    return item ? itemRows(item, at === marked, parts) : [];
  };
  const own = rows(marked);
  const above: (readonly string[])[] = [];
  const below: (readonly string[])[] = [];
  let [room, from, to] = [most - own.length, marked - 1, marked + 1];
  while (room > 0 && (from >= 0 || to < items.length)) {
    // The marked item stays in the middle where the list continues in both directions.
    const isAbove = from >= 0 && (to >= items.length || above.length <= below.length);
    const next = rows(isAbove ? from-- : to++);
    if (isAbove) above.unshift(next.slice(-room));
    else below.push(next.slice(0, room));
    room -= next.length;
  }
  return [...above.flat(), ...own.slice(0, most), ...below.flat()];
}
