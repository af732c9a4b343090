import {blockOf, editLines, lineStarts, type Edit, type Search} from './edit.js';

/** Finds whole lines that equal the searched ones except for white space at their start and end. */
export function flexible(search: Search): readonly Edit[] {
  const starts = lineStarts(search.text);
  const lines = search.text.split('\n').map((line) => line.trim());
  const wanted = blockOf(search.old).lines.map((line) => line.trim());
  const edits: Edit[] = [];
  for (let first = 0; first + wanted.length <= lines.length;) {
    if (wanted.every((line, index) => line === lines[first + index])) {
      edits.push(editLines(search, {starts, first, count: wanted.length}));
      first += wanted.length;
    } else first++;
  }
  return edits;
}
