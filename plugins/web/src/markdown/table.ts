import {attributeOf, elementsIn, isElement, type Element} from './tree.js';

const MOST_SPAN = 50;

/** A table with one line for each row; cells that span columns are followed by empty ones. */
export function tableToMarkdown(table: Element, write: (cell: Element) => string): string {
  const rows = [...elementsIn(table)].filter(({tagName}) => tagName === 'tr').map((row) => cellsOf(row, write));
  const shown = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = Math.max(0, ...shown.map(({length}) => length));
  const [head, ...rest] = shown;
  if (!head) return '';
  // A table of one column is layout.
  if (width === 1) return shown.flat().join('\n\n');
  const line = (row: readonly string[]): string => `| ${fill(row, width).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(width)}`, ...rest.map(line)].join('\n');
}

function cellsOf(row: Element, write: (cell: Element) => string): readonly string[] {
  return row.childNodes
    .filter((node): node is Element => isElement(node) && (node.tagName === 'td' || node.tagName === 'th'))
    .flatMap((cell) => {
      const span = Math.min(MOST_SPAN, Math.max(1, Number(attributeOf(cell, 'colspan')) || 1));
      return [write(cell).replaceAll('|', '\\|'), ...Array.from({length: span - 1}, () => '')];
    });
}

function fill(row: readonly string[], width: number): readonly string[] {
  return [...row, ...Array.from({length: width - row.length}, () => '')];
}
