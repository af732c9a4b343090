import type {Preview} from '@gemini-kernel/kernel';
import type {Codec} from './encoding.js';
import {LineScan} from './line-scan.js';

/** Lines of a text, counted from 1, both included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Above this many characters, both sides together, lines are not compared one by one. */
const COMPARED = 2 * 1024 * 1024;
/** The comparison gives up past this many changed lines; its time grows with their square. */
const MOST_CHANGES = 4000;
const MOST_SNIPPET_LINES = 120;
const MOST_SNIPPET_LENGTH = 8000;

/** How two versions of a text differ. */
export interface Change {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Unified, with 3 lines around; undefined when the texts are too large or too different to compare. */
  readonly diff: string | undefined;
  /** Where new lines stand in the new text, counted from 1. */
  readonly places: readonly LineSpan[];
}

/** Compares two versions of the file at `path`; a version of null is a file that is not there. */
export async function compare(path: string, before: string | null, after: string): Promise<Change> {
  const old = before ?? '';
  if (old.length + after.length > COMPARED) return compareRoughly(old, after);
  const {structuredPatch, formatPatch} = await import('diff');
  const patch = structuredPatch(before === null ? '/dev/null' : path, path, old, after, undefined, undefined, {context: 3, maxEditLength: MOST_CHANGES});
  if (patch === undefined) return compareRoughly(old, after);
  const marks = patch.hunks.flatMap(({lines}) => lines.map((line) => line[0]));
  const count = (wanted: string): number => marks.filter((mark) => mark === wanted).length;
  const places = patch.hunks.map(({newStart, newLines}) => ({first: newStart, last: newStart + Math.max(newLines, 1) - 1}));
  return {linesAdded: count('+'), linesRemoved: count('-'), diff: formatPatch(patch), places};
}

/** What a person is shown of a change before it is made. */
export async function previewOf(path: string, before: string | null, after: string): Promise<Preview> {
  const {diff, linesAdded, linesRemoved, places} = await compare(path, before, after);
  if (diff !== undefined) return {kind: 'diff', path, before: before ?? '', after, diff};
  const where = places.map(({first, last}) => `lines ${first}-${last}`).join(', ');
  return {kind: 'text', text: `${path}: ${linesRemoved} lines out, ${linesAdded} lines in (${where}). It is too large for a line by line view.`};
}

/** The lines at and around `places` of a content as text, for a model to see what a file holds now. Cut when it grows long. */
export function snippetOf(content: Buffer, codec: Codec, {places, around}: {readonly places: readonly LineSpan[]; readonly around: number}): string {
  const pieces: string[] = [];
  let room = MOST_SNIPPET_LINES;
  let cut = false;
  for (const {first, last} of joinSpans(places, around)) {
    cut ||= last - first >= room;
    if (room <= 0) break;
    const scan = new LineScan(first, Math.min(last, first + room - 1), codec);
    scan.add(content.subarray(codec.mark.length));
    pieces.push(codec.decode(scan.finish().bytes).trimEnd());
    room -= last - first + 1;
  }
  const snippet = pieces.join('\n...\n');
  cut ||= snippet.length > MOST_SNIPPET_LENGTH;
  return cut ? `${snippet.slice(0, MOST_SNIPPET_LENGTH)}\n... (the rest of the change is not shown)` : snippet;
}

/** Spans widened by the lines around them, those that meet joined. */
function joinSpans(spans: readonly LineSpan[], around: number): readonly LineSpan[] {
  const joined: LineSpan[] = [];
  for (const span of spans) {
    const wide = {first: Math.max(1, span.first - around), last: span.last + around};
    const previous = joined.at(-1);
    if (previous !== undefined && wide.first <= previous.last + 1) joined[joined.length - 1] = {first: previous.first, last: wide.last};
    else joined.push(wide);
  }
  return joined;
}

/** One block from the first to the last line that differs. */
function compareRoughly(before: string, after: string): Change {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - tail - 1] === fresh[fresh.length - tail - 1]) tail++;
  const last = Math.max(head + 1, fresh.length - tail);
  return {linesAdded: fresh.length - tail - head, linesRemoved: old.length - tail - head, diff: undefined, places: [{first: head + 1, last}]};
}
