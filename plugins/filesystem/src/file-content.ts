import {isUtf8} from 'node:buffer';
import type {FileHandle} from 'node:fs/promises';
import {extname} from 'node:path';
import {ToolError} from '@gemini-kernel/kernel';
import type {FileVersion} from './contract.js';
import {diskError} from './disk-error.js';
import {codecOf, markedCodec, utf8, type Codec} from './encoding.js';
import {LineScan, type ScannedLines} from './line-scan.js';
import {kindOf} from './media.js';
import {fill, READ_LIMIT, readWhole, sizeOf, tooLarge, versionOf, type OpenedFile} from './opened-file.js';

const MAX_LINES = 2000;
const MAX_LINE_LENGTH = 2000;
const SVG_LIMIT = 1024 * 1024;
/** In larger files, reading stops after the wanted lines: counting the rest would take too long. */
const COUNTED = 4 * 1024 * 1024;
const HEAD = 4096;
const PIECE = 512 * 1024;

export interface TextContent {
  readonly kind: 'text';
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Undefined when a large file continues after the last line that was read. */
  readonly totalLines: number | undefined;
  /** Whether lines are missing or were cut. */
  readonly truncated: boolean;
  readonly cutLines: number;
  readonly encoding: string;
  /** Bytes that are not UTF-8, shown as U+FFFD because no legacy encoding is configured. */
  readonly replacements: number;
}

export type FileContent =
  TextContent | {readonly kind: 'media'; readonly mimeType: string; readonly data: string} | {readonly kind: 'binary'};

export interface ContentRequest {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  /** The configured legacy encoding, read only when it is needed. */
  readonly legacy: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** What a model sees of an opened file, and the version that the session then knows. */
export async function readContent(
  file: OpenedFile,
  request: ContentRequest,
): Promise<{content: FileContent; version: FileVersion}> {
  if (request.startLine === undefined && request.endLine === undefined) {
    const bytes = await readWhole(file, extname(file.path).toLowerCase() === '.svg' ? SVG_LIMIT : READ_LIMIT);
    request.signal.throwIfAborted();
    return {content: await contentOf(file, [bytes], request), version: versionOf(file.stat, bytes)};
  }
  const pieces = file.edited ? [file.edited] : piecesOf(file.handle, Number(file.stat.size));
  try {
    return {content: await contentOf(file, pieces, request), version: versionOf(file.stat, file.edited)};
  } catch (cause) {
    throw diskError(cause, file.path, 'read');
  }
}

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

async function contentOf(file: OpenedFile, pieces: Pieces, request: ContentRequest): Promise<FileContent> {
  const first = request.startLine ?? 1;
  const last = request.endLine ?? first + MAX_LINES - 1;
  const found = await scanLines(file, pieces, {first, last, signal: request.signal});
  if ('kind' in found) return found;
  const {bytes, total, marked, seen} = found;
  if (first > Math.max(total, 1)) {
    throw new ToolError('LINE_MISSING', `${file.path} has ${total} lines; there is no line ${first}.`, {
      hint: `Use a start_line from 1 to ${Math.max(total, 1)}.`,
    });
  }
  const totalLines = seen < sizeOf(file) ? undefined : total;
  const lastLine = Math.min(last, total);
  const decoded = await decodeLines(
    first === 1 ? bytes.subarray(marked?.mark.length ?? 0) : bytes,
    marked,
    request.legacy,
  );
  const {text, cutLines} = cutLongLines(decoded.text);
  const truncated = first > 1 || lastLine !== totalLines || cutLines > 0;
  return {...decoded, kind: 'text', text, cutLines, firstLine: Math.min(first, total), lastLine, totalLines, truncated};
}

interface WantedLines {
  readonly first: number;
  readonly last: number;
  readonly signal: AbortSignal;
}

interface FoundLines extends ScannedLines {
  readonly marked: Codec | undefined;
  /** How many bytes were read; fewer than the file has when the rest is not counted. */
  readonly seen: number;
}

/** The bytes of the wanted lines, or the file's type if it is not text. */
async function scanLines(
  file: OpenedFile,
  pieces: Pieces,
  {first, last, signal}: WantedLines,
): Promise<FoundLines | Exclude<FileContent, TextContent>> {
  let scan: LineScan | undefined;
  let marked: Codec | undefined;
  let seen = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (scan === undefined) {
      marked = markedCodec(piece);
      const kind = kindOf(piece.subarray(0, HEAD), file.path, marked !== undefined);
      if (kind.kind === 'media') return {...kind, data: (await readWhole(file)).toString('base64')};
      if (kind.kind === 'binary') return kind;
      scan = new LineScan(first, last, marked ?? utf8);
    }
    scan.add(piece);
    if (scan.keptBytes > READ_LIMIT)
      throw tooLarge(`The content of lines ${first} to ${last} of ${file.path}`, BigInt(scan.keptBytes), READ_LIMIT);
    seen += piece.length;
    if (scan.isPast && seen > COUNTED) break;
  }
  return {...(scan?.finish() ?? {bytes: Buffer.alloc(0), total: 0}), marked, seen};
}

/** The content piece by piece; the next piece is read while one is processed. */
async function* piecesOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  // One byte more than the file: a short piece is the last one.
  const length = Math.min(PIECE, (size + 4) & ~3);
  let [current, other] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
  let pending = fill(handle, current);
  try {
    for (let position = 0; ;) {
      const filled = await pending;
      if (filled === 0) return;
      position += filled;
      pending = filled < length ? Promise.resolve(0) : fill(handle, other, position);
      yield current.subarray(0, filled);
      [current, other] = [other, current];
    }
  } finally {
    await Promise.allSettled([pending]);
  }
}

async function decodeLines(
  bytes: Buffer,
  marked: Codec | undefined,
  legacy: () => Promise<unknown>,
): Promise<{text: string; encoding: string; replacements: number}> {
  if (marked !== undefined && marked.unit > 1)
    return {text: marked.decode(bytes), encoding: marked.name, replacements: 0};
  if (isUtf8(bytes)) return {text: utf8.decode(bytes), encoding: utf8.name, replacements: 0};
  const codec = await codecOf(bytes, legacy);
  if (codec !== undefined) return {text: codec.decode(bytes), encoding: codec.name, replacements: 0};
  const text = utf8.decode(bytes);
  return {
    text,
    encoding: utf8.name,
    replacements: text.split('\uFFFD').length - bytes.toString('latin1').split('\xef\xbf\xbd').length,
  };
}

function cutLongLines(text: string): {text: string; cutLines: number} {
  if (text.length <= MAX_LINE_LENGTH) return {text, cutLines: 0};
  let cutLines = 0;
  const cut = text.replace(/[^\r\n]{2001,}/g, (line) => {
    cutLines++;
    // Half a surrogate pair is no character.
    return `${line.slice(0, MAX_LINE_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}... [truncated]`;
  });
  return {text: cut, cutLines};
}
