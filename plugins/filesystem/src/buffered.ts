import {isUtf8} from 'node:buffer';
import {lstat} from 'node:fs/promises';
import type {Buffers} from '@gemini-kernel/plugin-workspace/contract';
import type {FileVersion} from './contract.js';
import {readWhole, versionOf, type OpenedFile} from './opened-file.js';

/** Larger files are those of the disk. */
const MOST_BYTES = 4 * 1024 * 1024;
const MARK = '\uFEFF';

export interface BufferOptions {
  readonly buffers: Buffers;
  readonly signal: AbortSignal;
}

/**
 * The file with its content as it is in an editor, where that differs from the disk; else the file itself. Only text in
 * UTF-8 is asked for.
 */
export async function withBuffer<F extends OpenedFile>(file: F, {buffers, signal}: BufferOptions): Promise<F> {
  if (!buffers.isUsed || file.stat.size > BigInt(MOST_BYTES)) return file;
  const saved = await readWhole(file);
  if (!isText(saved)) return file;
  const edited = await buffers.read(file.path, signal);
  if (edited === undefined || edited.length > MOST_BYTES) return file;
  const text = saved.toString('utf8');
  const isEdited = !isSame(edited, text);
  buffers.note(file.path, isEdited);
  return isEdited ? {...file, edited: Buffer.from(spelledLike(text, edited))} : file;
}

/**
 * Has an editor replace the content of a file, and gives the version that it has then; undefined when the file is to be
 * written on the disk, also because the editor did not do what it said.
 */
export async function writeToBuffer(
  path: string,
  bytes: Buffer,
  {buffers, signal, before}: BufferOptions & {readonly before: Buffer | undefined},
): Promise<FileVersion | undefined> {
  if (!buffers.isUsed || !isPlain(bytes) || (before && !isText(before))) return undefined;
  const text = bytes.toString('utf8');
  if (!(await buffers.write(path, text, signal))) return undefined;
  const now = await buffers.read(path, signal);
  return now === undefined || isUndone(now, text, before)
    ? undefined
    : versionNow(path, isSame(now, text), {bytes, now});
}

/** Whether an editor still has the text from before. */
function isUndone(now: string, text: string, before: Buffer | undefined): boolean {
  return !isSame(now, text) && isSame(now, before?.toString('utf8') ?? '');
}

/** The version after a write. What formats on saving leaves another text, which is then the one that is known. */
async function versionNow(
  path: string,
  isAsWritten: boolean,
  {bytes, now}: {readonly bytes: Buffer; readonly now: string},
): Promise<FileVersion | undefined> {
  const stat = await lstat(path, {bigint: true}).catch(() => undefined);
  return stat?.isFile() ? versionOf(stat, isAsWritten ? bytes : Buffer.from(now)) : undefined;
}

/** Whether an editor would keep every byte: it has no byte order mark, and its own ends of lines. */
function isPlain(bytes: Buffer): boolean {
  return bytes.length <= MOST_BYTES && isText(bytes) && !bytes.includes('\r') && !bytes.includes(MARK);
}

/** Whether two texts differ in nothing but how they are spelled: the mark, the ends of lines, the end of the last. */
function isSame(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  return text.replace(MARK, '').replaceAll('\r\n', '\n').replace(/\n$/, '');
}

/** The text of an editor with the mark, the ends of lines and the last end of the saved text. */
function spelledLike(saved: string, edited: string): string {
  const lines = edited.replace(MARK, '').replaceAll('\r\n', '\n');
  const ended = saved.endsWith('\n') && !lines.endsWith('\n') && lines !== '' ? `${lines}\n` : lines;
  const hasCrlf = saved.includes('\r\n') && !/(?<!\r)\n/.test(saved);
  return (saved.startsWith(MARK) ? MARK : '') + (hasCrlf ? ended.replaceAll('\n', '\r\n') : ended);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
