import {widthOf} from '../graphemes.js';
import {renderInline} from './inline.js';
import {withinStrong, type Look} from './look.js';

const GAP = '  ';

/** Renders table rows in columns, or as `heading: cell` lines if too wide or for screen readers. */
export function renderTable(lines: readonly string[], look: Look): string {
  const [heading, rule, ...body] = lines.map(cellsOf);
  if (!heading || !rule || !rule.every((cell) => /^:?-+:?$/.test(cell)))
    return lines.map((line) => `${renderInline({text: line, isWhole: true, look}, 0).shown}\n`).join('');
  const rows = [heading, ...body].map((row, at) =>
    heading.map(
      (_, index) =>
        renderInline({text: row[index] ?? '', isWhole: true, look: at === 0 ? withinStrong(look) : look}, 0).shown,
    ),
  );
  const widths = heading.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ''))));
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  if (look.saysWords || total > look.columns()) return renderRecords(rows, look);
  const alignments = rule.map((cell) => (cell.endsWith(':') ? (cell.startsWith(':') ? 'centre' : 'right') : 'left'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(cell, widths[index] ?? 0, alignments[index] ?? 'left'))
      .join(GAP)
      .trimEnd();
  const [first = [], ...others] = rows;
  const underline = widths.map((width) => '-'.repeat(width)).join(GAP);
  return [look.paint('strong', line(first)), look.paint('dim', underline), ...others.map(line)]
    .map((one) => `${one}\n`)
    .join('');
}

function renderRecords([heading = [], ...rows]: readonly (readonly string[])[], look: Look): string {
  const start = look.paragraph?.(GAP.length) ?? '';
  const name = (index: number): string => look.paint('strong', heading[index] ?? '');
  return rows.map((row) => row.map((cell, index) => `${start}${name(index)}: ${cell}\n`).join('')).join('\n');
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function pad(cell: string, width: number, alignment: 'left' | 'right' | 'centre'): string {
  const room = Math.max(0, width - widthOf(cell));
  const before = alignment === 'right' ? room : alignment === 'centre' ? Math.floor(room / 2) : 0;
  return ' '.repeat(before) + cell + ' '.repeat(room - before);
}
