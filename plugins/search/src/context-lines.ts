import {createReadStream} from 'node:fs';
import {constants, open, readlink, type FileHandle} from 'node:fs/promises';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {decodeBytes, systemPath} from './engine/bytes.js';
import {CUT_MARK, cutLine, LONGEST_LINE} from './engine/cut-line.js';
import type {LineMatch} from './engine/engine.js';

export interface ContextLine extends LineMatch {
  readonly isMatch: boolean;
}

export interface ContextOptions {
  readonly before: number;
  readonly after: number;
  /** So many lines are given at most, those of the matches counted. */
  readonly most: number;
  readonly workspace: Pick<Workspace, 'confirm'>;
  readonly signal: AbortSignal;
}

/**
 * Lines of a file, with those around them; or that they are too many; or that the file is no longer what it was when
 * its lines were found, or lies elsewhere.
 */
export async function withContext(
  path: string,
  matches: readonly LineMatch[],
  options: ContextOptions,
): Promise<readonly ContextLine[] | 'too many' | 'changed'> {
  try {
    return await readAround(path, matches, options);
  } catch (error) {
    options.signal.throwIfAborted();
    // It was there when its lines were found.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return 'changed';
  }
}

async function readAround(
  path: string,
  matches: readonly LineMatch[],
  options: ContextOptions,
): Promise<readonly ContextLine[] | 'too many' | 'changed'> {
  const ranges = rangesAround(matches, options);
  const lines: ContextLine[] = [];
  let [number, met, at] = [0, 0, 0];
  for await (const text of readLines(path, options)) {
    number += 1;
    const range = ranges[at];
    if (!range) break;
    if (number < range.from) continue;
    if (lines.length === options.most) return 'too many';
    const next = matches[met];
    if (next?.number === number) {
      if (!isPartOf(next.text, text)) return 'changed';
      lines.push({number, text: next.text, isMatch: true});
      met += 1;
    } else lines.push({number, text: cutLine(text, 0), isMatch: false});
    if (number === range.to) at += 1;
  }
  return met === matches.length ? lines : 'changed';
}

/** The lines that are wanted, in order, without overlaps. */
function rangesAround(
  matches: readonly LineMatch[],
  {before, after}: Pick<ContextOptions, 'before' | 'after'>,
): readonly {readonly from: number; readonly to: number}[] {
  const ranges: {from: number; to: number}[] = [];
  for (const {number} of matches) {
    const [from, to] = [Math.max(1, number - before), number + after];
    const last = ranges.at(-1);
    if (last && from <= last.to) last.to = to;
    else ranges.push({from, to});
  }
  return ranges;
}

/** Whether these are lines of the file that stands at the path now. */
export async function hasLines(
  path: string,
  lines: readonly LineMatch[],
  {workspace, signal}: Pick<ContextOptions, 'workspace' | 'signal'>,
): Promise<boolean> {
  return (await withContext(path, lines, {before: 0, after: 0, most: lines.length, workspace, signal})) !== 'changed';
}

/** Of a line that was cut, a part is shown that depends on where the match is. */
function isPartOf(shown: string, line: string): boolean {
  if (line.length <= LONGEST_LINE) return shown === line;
  const end = shown.endsWith(CUT_MARK) ? shown.length - CUT_MARK.length : shown.length;
  return line.includes(shown.slice(shown.startsWith(CUT_MARK) ? CUT_MARK.length : 0, end));
}

/** Where a line ends, and how its bytes become text. */
interface Encoding {
  readonly mark: number;
  decode(bytes: Buffer): string;
}

const LONGEST_HELD = 1 << 20;

/** The lines of a text file without their ends; of lines beyond a mebibyte only the beginning. */
async function* readLines(
  path: string,
  {workspace, signal}: Pick<ContextOptions, 'workspace' | 'signal'>,
): AsyncGenerator<string> {
  const handle = await open(
    systemPath(path),
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    if (!(await isStillThere(handle, path, workspace))) return;
    const {bytesRead, buffer} = await handle.read(Buffer.alloc(3), 0, 3, 0);
    const {mark, decode} = encodingOf(buffer.subarray(0, bytesRead));
    const stream = createReadStream('', {fd: handle, start: mark, autoClose: false});
    const width = decode === decodeBytes ? 1 : 2;
    let held: Buffer = Buffer.alloc(0);
    for await (const chunk of stream) {
      signal.throwIfAborted();
      const bytes = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
      let start = 0;
      for (
        let end = lineEnd(bytes, start, width, buffer[0] === 0xfe);
        end >= 0;
        end = lineEnd(bytes, start, width, buffer[0] === 0xfe)
      ) {
        yield withoutReturn(decode(bytes.subarray(start, end)));
        start = end + width;
      }
      held = Buffer.from(bytes.subarray(start, start + LONGEST_HELD));
    }
    if (held.length > 0) yield withoutReturn(decode(held));
  } finally {
    await handle.close();
  }
}

/** Whether what was opened is what stands at the path. Throws what the workspace throws when it is not. */
async function isStillThere(handle: FileHandle, path: string, workspace: Pick<Workspace, 'confirm'>): Promise<boolean> {
  const name = systemPath(path);
  if (typeof name === 'string') {
    const {dev, ino} = await handle.stat({bigint: true});
    await workspace.confirm(path, {device: String(dev), inode: String(ino)}, {access: 'read'});
    return true;
  }
  // A name that is not UTF-8 cannot be passed to Node; on systems with such names, ask the system.
  const held = await readlink(`/proc/self/fd/${handle.fd}`, {encoding: 'buffer'});
  return held.equals(name);
}

function encodingOf(start: Buffer): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe)
    return {mark: 2, decode: (bytes) => new TextDecoder('utf-16le', {ignoreBOM: true}).decode(bytes)};
  if (start[0] === 0xfe && start[1] === 0xff)
    return {mark: 2, decode: (bytes) => new TextDecoder('utf-16be', {ignoreBOM: true}).decode(bytes)};
  return {mark: start.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0, decode: decodeBytes};
}

function lineEnd(bytes: Buffer, start: number, width: number, isBigEndian: boolean): number {
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (width === 1) return at;
    const first = isBigEndian ? at - 1 : at;
    if ((first - start) % 2 === 0 && first >= start && bytes[isBigEndian ? first : first + 1] === 0) return first;
  }
  return -1;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
