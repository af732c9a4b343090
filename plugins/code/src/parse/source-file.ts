import {closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type BigIntStats} from 'node:fs';

/** The largest file that is read as code. */
export const MOST_BYTES = 4 * 1024 * 1024;
/** The largest that the index has: above it, files are generated. */
export const MOST_INDEXED_BYTES = 1024 * 1024;

// Windows has neither flag. O_NONBLOCK: opening a pipe must not wait for its writer.
const {O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants as Partial<typeof constants>;

/** A text, and the version of the file that it is from. */
export interface Source {
  readonly stamp: string;
  readonly text: string;
  readonly bytes: Buffer;
}

export interface SourceFault {
  readonly stamp: string;
  readonly fault: string;
}

/** Changes whenever the file's metadata does: the form of the service `versions`. */
export function stampOf(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':');
}

/** The version of the regular file at a real path; undefined when it is not a regular file. */
export function stampAt(path: string): string | undefined {
  const stat = lstatSync(path, {bigint: true, throwIfNoEntry: false});
  return stat?.isFile() ? stampOf(stat) : undefined;
}

/** The text of the regular file at a real path, or why it has none that is code. */
export function readSource(path: string, most = MOST_BYTES): Source | SourceFault {
  const handle = openPlain(path);
  if (typeof handle === 'string')
    return {stamp: '', fault: handle === 'ENOENT' ? 'does not exist' : `cannot be read (${handle})`};
  try {
    const stat = fstatSync(handle, {bigint: true});
    const stamp = stampOf(stat);
    if (!stat.isFile()) return {stamp, fault: 'is not a regular file'};
    if (!isAt(path, stat)) return {stamp, fault: 'leads elsewhere by now'};
    if (stat.size > BigInt(most)) return {stamp, fault: `has more than ${most / 1024 / 1024} MB`};
    const bytes = readAll(handle, Number(stat.size));
    if (bytes.subarray(0, 65_536).includes(0)) return {stamp, fault: 'is binary'};
    const text = bytes.toString('utf8');
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) return {stamp, fault: 'is not UTF-8'};
    return {stamp, text, bytes};
  } catch (error) {
    return {stamp: '', fault: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`};
  } finally {
    closeSync(handle);
  }
}

/** The opened file, or the code of why it cannot be opened. */
function openPlain(path: string): number | string {
  try {
    return openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Whether the real path still leads to the opened file, by no link: what was judged is what is read. */
function isAt(path: string, {dev, ino}: BigIntStats): boolean {
  const there = lstatSync(path, {bigint: true, throwIfNoEntry: false});
  return there?.dev === dev && there.ino === ino && realpathSync.native(path) === path;
}

function readAll(handle: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(handle, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
