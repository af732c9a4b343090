import type {Preview} from '@gemini-kernel/kernel';
import type {StructuredPatchHunk} from 'diff';
import type {Codec} from './encoding.js';
import {LineScan} from './line-scan.js';

/** Lines of a text, counted from 1, both included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Above this many characters, both sides together, no one reads a diff. */
const COMPARED = 2 * 1024 * 1024;
/** The line-by-line comparison stops after this many changes; its time grows with their square. */
const MOST_CHANGES = 2000;
const CONTEXT = 3;
const PIECE = 64 * 1024;
const MOST_SNIPPET_LINES = 120;
const MOST_SNIPPET_LENGTH = 8000;

/** How two versions of a text differ. */
export interface Change {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Unified, with 3 lines of context; undefined when the texts are too large for one. */
  readonly diff: string | undefined;
  /** Where new lines are in the new text, with their context. */
  readonly places: readonly LineSpan[];
}

/** Compares two versions of the file at `path`; null stands for a missing file. */
export async function compare(path: string, before: string | null, after: string): Promise<Change> {
  const old = before ?? '';
  const [oldName, newName] = [before === null ? '/dev/null' : path, path];
  if (old.length + after.length > COMPARED) return {...changeOf([blockHunk(old, after)]), diff: undefined};
  const {structuredPatch, formatPatch, FILE_HEADERS_ONLY} = await import('diff');
  const patch = structuredPatch(oldName, newName, old, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_CHANGES,
  });
  const hunks = patch?.hunks ?? [blockHunk(old, after)];
  return {
    ...changeOf(hunks),
    diff: formatPatch(
      {oldFileName: oldName, newFileName: newName, oldHeader: undefined, newHeader: undefined, hunks},
      FILE_HEADERS_ONLY,
    ),
  };
}

/** What a person sees of a change before it is made. */
export async function previewOf(path: string, before: string | null, after: string): Promise<Preview> {
  const {diff, linesAdded, linesRemoved, places} = await compare(path, before, after);
  if (diff !== undefined) return {kind: 'diff', path, before: before ?? '', after, diff};
  const where = places.map(({first, last}) => `lines ${first}-${last}`).join(', ');
  return {
    kind: 'text',
    text:
      `${path}: ${linesRemoved} lines removed, ${linesAdded} lines added (${where}). The change is too ` +
      'large to show line by line.',
  };
}

/** The lines at and around `places` of a content as text, to show a model the new content. Cut when it is long. */
export function snippetOf(
  content: readonly Buffer[],
  codec: Codec,
  {places, around}: {readonly places: readonly LineSpan[]; readonly around: number},
): string {
  // Wide code units must not be split, so there the pieces are joined first.
  const whole = codec.unit === 1 ? content : [Buffer.concat(content)];
  const slices = whole.flatMap((piece, index) => slicesOf(index === 0 ? piece.subarray(codec.mark.length) : piece));
  const pieces: string[] = [];
  let room = MOST_SNIPPET_LINES;
  let cut = false;
  for (const {first, last} of joinSpans(places, around)) {
    cut ||= last - first >= room;
    if (room <= 0) break;
    const scan = new LineScan(first, Math.min(last, first + room - 1), codec);
    for (const slice of slices) {
      if (scan.isPast) break;
      scan.add(slice);
    }
    pieces.push(codec.decode(scan.finish().bytes).trimEnd());
    room -= last - first + 1;
  }
  const snippet = pieces.join('\n...\n');
  cut ||= snippet.length > MOST_SNIPPET_LENGTH;
  return cut ? `${snippet.slice(0, MOST_SNIPPET_LENGTH)}\n... (the rest of the change is not shown)` : snippet;
}

function slicesOf(piece: Buffer): readonly Buffer[] {
  return Array.from({length: Math.ceil(piece.length / PIECE)}, (_, index) =>
    piece.subarray(index * PIECE, (index + 1) * PIECE),
  );
}

/** Spans widened by the lines around them; spans that meet are joined. */
function joinSpans(spans: readonly LineSpan[], around: number): readonly LineSpan[] {
  const joined: LineSpan[] = [];
  for (const span of spans) {
    const wide = {first: Math.max(1, span.first - around), last: span.last + around};
    const previous = joined.at(-1);
    if (previous !== undefined && wide.first <= previous.last + 1)
      joined[joined.length - 1] = {first: previous.first, last: wide.last};
    else joined.push(wide);
  }
  return joined;
}

function changeOf(hunks: readonly StructuredPatchHunk[]): Omit<Change, 'diff'> {
  let [linesAdded, linesRemoved] = [0, 0];
  for (const {lines} of hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) linesAdded++;
      else if (line.startsWith('-')) linesRemoved++;
    }
  }
  return {
    linesAdded,
    linesRemoved,
    places: hunks.map(({newStart, newLines}) => ({first: newStart, last: newStart + Math.max(newLines, 1) - 1})),
  };
}

/** One block from the first to the last line that differs: always correct, and fast. */
function blockHunk(before: string, after: string): StructuredPatchHunk {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - tail - 1] === fresh[fresh.length - tail - 1]) tail++;
  const start = Math.max(0, head - CONTEXT);
  const mark = (sign: string, lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, '\\ No newline at end of file'],
    );
  const lines = [
    ...mark(' ', old.slice(start, head)),
    ...mark('-', old.slice(head, old.length - tail)),
    ...mark('+', fresh.slice(head, fresh.length - tail)),
    ...mark(' ', old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
  const around = head - start + Math.min(tail, CONTEXT);
  return {
    oldStart: start + 1,
    oldLines: old.length - head - tail + around,
    newStart: start + 1,
    newLines: fresh.length - head - tail + around,
    lines,
  };
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
