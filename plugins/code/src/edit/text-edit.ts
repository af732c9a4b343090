/** A part of a text, and what is to stand there. Offsets count UTF-16 units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at);
}

/** One text that stands in `text` only once and has all the edits in it, and what takes its place. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** The smallest run of whole lines around the edits that the text has only once. */
export function asReplacement(given: string, edits: readonly TextEdit[]): Replacement {
  const [text, ordered] = withLineFeeds(given, inOrder(edits));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) throw new TypeError('There is no edit.');
  let start = lineStart(text, first.start);
  let end = lineEnd(text, last.end);
  for (;;) {
    const before = text.slice(start, end);
    const isAll = start <= markEnd(text) && end >= text.length;
    if (isAll || (before.trim() !== '' && isUnique(text, before))) {
      const moved = ordered.map((edit) => ({...edit, start: edit.start - start, end: edit.end - start}));
      return {before, after: applyEdits(before, moved)};
    }
    start = lineStart(text, start - 1);
    end = lineEnd(text, end + 1);
  }
}

function inOrder(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start);
}

/** The file tools compare and write lines whatever ends them. */
function withLineFeeds(text: string, edits: readonly TextEdit[]): readonly [string, readonly TextEdit[]] {
  const plain = (part: string): string => part.replaceAll('\r\n', '\n');
  if (!text.includes('\r\n')) return [text, edits];
  const moved = (at: number): number => plain(text.slice(0, at)).length;
  return [
    plain(text),
    edits.map(({start, end, text: new_}) => ({start: moved(start), end: moved(end), text: plain(new_)})),
  ];
}

/** A byte order mark is no part of the text that the file tools see. */
function markEnd(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function lineStart(text: string, at: number): number {
  return Math.max(markEnd(text), at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
}

function lineEnd(text: string, at: number): number {
  const next = at >= text.length ? -1 : text.indexOf('\n', at);
  return next === -1 ? text.length : next;
}

function isUnique(text: string, part: string): boolean {
  const first = text.indexOf(part);
  return text.indexOf(part, first + 1) === -1;
}
