/** A text by visible characters, and the index of the cursor in it. */
export interface Cells {
  readonly cells: readonly string[];
  readonly at: number;
}

/** The index of the first character of a line. */
export function lineStart(cells: readonly string[], at: number): number {
  return at <= 0 ? 0 : cells.lastIndexOf('\n', at - 1) + 1;
}

/** The index of the line feed that ends a line, or the end of the text. */
export function lineEnd(cells: readonly string[], at: number): number {
  const end = cells.indexOf('\n', at);
  return end < 0 ? cells.length : end;
}

/** The index of the last character of a line. */
export function lineLast(cells: readonly string[], at: number): number {
  return Math.max(lineStart(cells, at), lineEnd(cells, at) - 1);
}

/** The index of the first character of a line that is not blank. */
export function lineText(cells: readonly string[], at: number): number {
  let index = lineStart(cells, at);
  const last = lineLast(cells, at);
  while (index < last && isBlank(cells[index])) index += 1;
  return index;
}

/** The start of the line that is `by` lines away, or the nearest one. */
export function otherLine(cells: readonly string[], at: number, by: number): number {
  let start = lineStart(cells, at);
  for (let left = Math.abs(by); left > 0; left -= 1) {
    const next = by < 0 ? lineStart(cells, start - 1) : lineEnd(cells, start) + 1;
    if (by < 0 ? start === 0 : next > cells.length) return start;
    start = next;
  }
  return start;
}

export function isBlank(cell: string | undefined): boolean {
  return cell === ' ' || cell === '\t';
}
