import {closeSync, constants, openSync} from 'node:fs';
import {systemPath} from '../engine/bytes.js';
import type {FoundLines, LineFinder} from './line-finder.js';
import {TextSource} from './text-source.js';

/** A zero byte before this makes a file binary. */
const BINARY_WITHIN = 65_536;
/** The first piece may hold a byte order mark besides. */
const FIRST_PIECE = BINARY_WITHIN + 4;
const BLOCK = 262_144;
/**
 * Of a line that is longer than 16 MiB only so much is held against the pattern: more would not fit the memory of small
 * machines.
 */
const LONGEST_MATCHED = 1 << 24;
const LINE_END = 10;

/** A buffer that one file after the other is read into. */
export function createBlock(): Buffer {
  return Buffer.allocUnsafeSlow(BLOCK);
}

/** The lines of a file that fit. Reads it in blocks, and no further than is needed. Throws as the system does. */
export function matchFile(path: string, find: LineFinder, block: Buffer): FoundLines {
  // What has become a link since it was listed is not followed, and what has become a pipe is not waited for.
  const file = openSync(
    systemPath(path),
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    return matchText(new TextSource(file), find, block);
  } finally {
    closeSync(file);
  }
}

/** What was read of a file and not looked at yet. */
interface Unseen {
  buffer: Buffer;
  length: number;
  /** Whether a line was too long, and its end has not come. */
  isSkipping: boolean;
}

function matchText(source: TextSource, find: LineFinder, block: Buffer): FoundLines {
  const found: FoundLines = {lines: [], next: 1, bytes: 0};
  const unseen: Unseen = {buffer: block, length: readStart(source, block), isSkipping: false};
  const zero = unseen.buffer.subarray(0, unseen.length).indexOf(0);
  if (zero >= 0 && zero < BINARY_WITHIN) return found;
  let isLast = zero >= 0 || unseen.length < BINARY_WITHIN;
  if (zero >= 0) unseen.length = zero;
  for (let fresh = 0; ;) {
    if (!take(unseen, {fresh, isLast, find, found}) || isLast) return found;
    fresh = unseen.length;
    isLast = readMore(source, unseen);
  }
}

/** Reads until it is known whether the file is binary. */
function readStart(source: TextSource, buffer: Buffer): number {
  let length = 0;
  for (let read = -1; read !== 0 && length < BINARY_WITHIN; length += read)
    read = source.read(buffer, length, FIRST_PIECE);
  return length;
}

/** Reads one piece; true when nothing comes after it. */
function readMore(source: TextSource, unseen: Unseen): boolean {
  const {buffer, length} = unseen;
  const read = source.read(buffer, length, buffer.length);
  const zero = buffer.subarray(length, length + read).indexOf(0);
  unseen.length += zero >= 0 ? zero : read;
  return zero >= 0 || read === 0;
}

interface Step {
  /** From where on what was read is new. */
  readonly fresh: number;
  readonly isLast: boolean;
  readonly find: LineFinder;
  readonly found: FoundLines;
}

/** Looks at the lines that are complete, and makes room for more; false when there are enough. */
function take(unseen: Unseen, {fresh, isLast, find, found}: Step): boolean {
  if (unseen.isSkipping && !skip(unseen, found)) return true;
  const {buffer, length} = unseen;
  if (isLast) return find(buffer.subarray(0, length), found, true);
  const start = Math.min(fresh, length);
  const end = start + buffer.subarray(start, length).lastIndexOf(LINE_END) + 1;
  if (end > start) {
    const goesOn = find(buffer.subarray(0, end), found, false);
    drop(unseen, end);
    return goesOn;
  }
  if (length < buffer.length) return true;
  if (length < LONGEST_MATCHED) {
    unseen.buffer = Buffer.allocUnsafeSlow(Math.min(LONGEST_MATCHED, length * 4));
    buffer.copy(unseen.buffer);
    return true;
  }
  unseen.isSkipping = true;
  unseen.length = 0;
  return find(buffer, found, false);
}

/** Skips the rest of a line; false if the line continues. */
function skip(unseen: Unseen, found: FoundLines): boolean {
  const end = unseen.buffer.subarray(0, unseen.length).indexOf(LINE_END);
  drop(unseen, end < 0 ? unseen.length : end + 1);
  if (end < 0) return false;
  found.next += 1;
  unseen.isSkipping = false;
  return true;
}

function drop(unseen: Unseen, end: number): void {
  unseen.buffer.copyWithin(0, end, unseen.length);
  unseen.length -= end;
}
