import type {Codec} from '../encoding.js';
import type {Edit} from './edit.js';

/** Bytes that replace those from `start` to `end`. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** The content with the edits made and every other byte unchanged, in pieces: large ones are not copied. */
export function splice(content: Buffer, edits: readonly ByteEdit[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let done = 0;
  for (const {start, end, bytes} of edits) {
    pieces.push(content.subarray(done, start), bytes);
    done = end;
  }
  return [...pieces, content.subarray(done)];
}

/** The text with `\n` in place of `\r\n`: what strategies search. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

export interface NormalizedEdits {
  readonly content: Buffer;
  readonly codec: Codec;
  /** The content as text, and the same with `\n` line ends, which the edits are about. */
  readonly raw: string;
  readonly normalized: string;
  readonly edits: readonly Edit[];
}

/**
 * Turns edits of the normalised text into edits of the file's bytes; new lines end like their neighbours. Undefined
 * when the encoding cannot keep the bytes around the edits unchanged.
 */
export function byteEdits({content, codec, raw, normalized, edits}: NormalizedEdits): readonly ByteEdit[] | undefined {
  const narrow = edits.map((edit) => narrowEdit(normalized, edit));
  const places = rawOffsets(
    raw,
    narrow.flatMap(({start, end}) => [start, end]),
  );
  const offsets: number[] = [];
  let position = 0;
  let offset = codec.mark.length;
  for (const place of [...places, raw.length]) {
    const stretch = raw.slice(position, place);
    const end = offset + codec.byteLength(stretch);
    // Other encodings may have several byte sequences for one text, or a state; then lengths cannot be trusted.
    if (!codec.name.startsWith('utf-') && codec.decode(content.subarray(offset, end)) !== stretch) return undefined;
    offsets.push((offset = end));
    position = place;
  }
  return narrow.map(({text}, index) => {
    const [from = 0, to = 0] = places.slice(2 * index);
    const [start = 0, end = 0] = offsets.slice(2 * index);
    const ended = text.includes('\n') ? text.replaceAll('\n', lineEndNear(raw, from, to)) : text;
    return {start, end, bytes: codec.encode(ended)};
  });
}

/** The edit without the unchanged text at its start and end, so that unchanged lines keep their own line ends. */
function narrowEdit(text: string, edit: Edit): Edit {
  const shorter = Math.min(edit.end - edit.start, edit.text.length);
  let before = 0;
  while (before < shorter && text.charCodeAt(edit.start + before) === edit.text.charCodeAt(before)) before++;
  // A surrogate pair changes as a whole.
  if (before > 0 && isHighSurrogate(edit.text.charCodeAt(before - 1))) before--;
  let after = 0;
  while (
    after < shorter - before &&
    text.charCodeAt(edit.end - after - 1) === edit.text.charCodeAt(edit.text.length - after - 1)
  )
    after++;
  if (after > 0 && isLowSurrogate(edit.text.charCodeAt(edit.text.length - after))) after--;
  return {start: edit.start + before, end: edit.end - after, text: edit.text.slice(before, edit.text.length - after)};
}

/** Where offsets of the normalised text, in order, are in the raw one. */
function rawOffsets(raw: string, offsets: readonly number[]): readonly number[] {
  let passed = 0;
  let next = raw.indexOf('\r\n');
  return offsets.map((offset) => {
    while (next !== -1 && next - passed < offset) {
      passed++;
      next = raw.indexOf('\r\n', next + 2);
    }
    return offset + passed;
  });
}

/** How lines end here: as in the stretch itself, else before it, else after it. */
function lineEndNear(raw: string, from: number, to: number): string {
  const inside = raw.indexOf('\n', from);
  const before = from === 0 ? -1 : raw.lastIndexOf('\n', from - 1);
  const at = (inside !== -1 && inside < to) || before === -1 ? inside : before;
  return at > 0 && raw[at - 1] === '\r' ? '\r\n' : '\n';
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
