/** What a strategy searches: all texts with `\n` line ends. */
export interface Search {
  readonly text: string;
  readonly old: string;
  readonly replacement: string;
}

/** Replaces the text from `start` to `end` with `text`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds every place to change, in order and without overlaps; an empty list = try the next strategy. */
export type Strategy = (search: Search) => readonly Edit[];

/** Where each line of a text starts. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Lines to look for, and whether the block closes its last line. */
export interface Block {
  readonly lines: readonly string[];
  readonly closed: boolean;
}

/** The lines of a search or replacement; a final line end closes the last line and opens none. */
export function blockOf(text: string): Block {
  const closed = text.endsWith('\n');
  return {lines: (closed ? text.slice(0, -1) : text).split('\n'), closed};
}

/** Replaces `count` whole lines from line `first` (counted from 0), indented as the first of them is. */
export function editLines(
  {text, old, replacement}: Search,
  {starts, first, count}: {readonly starts: readonly number[]; readonly first: number; readonly count: number},
): Edit {
  const start = starts[first] ?? text.length;
  const next = starts[first + count];
  const closed = old.endsWith('\n');
  const end = next === undefined ? text.length : closed ? next : next - 1;
  const indented = indentAs({old, replacement, indentation: indentationOf(text.slice(start, end))});
  // A file without a line end at its end stays one.
  const unended = closed && next === undefined && !text.endsWith('\n');
  return {start, end, text: unended ? indented.replace(/\n$/, '') : indented};
}

/**
 * The replacement with the indentation of the place: `indentation` instead of that of its own first line, the rest
 * relative to it.
 */
export function indentAs({
  old,
  replacement,
  indentation,
}: {
  readonly old: string;
  readonly replacement: string;
  readonly indentation: string;
}): string {
  // If the search has the right indentation, the replacement's is used unchanged.
  if (replacement === '' || indentationOf(old) === indentation) return replacement;
  const own = indentationOf(replacement);
  return replacement
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return '';
      return indentation + (line.startsWith(own) ? line.slice(own.length) : line.trimStart());
    })
    .join('\n');
}

function indentationOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}
