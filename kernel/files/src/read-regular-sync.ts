import {closeSync, readSync, type Stats} from 'node:fs';
import {tooLarge} from './file-fault.js';
import {openRegularSync} from './open-regular-sync.js';
import {READ_LIMIT} from './read-limit.js';

/**
 * The bytes of a regular file, links followed. For starts, which wait for small files: it is several times faster than
 * `readRegular`, and has no deadline. Throws FileFault for anything else than a file of at most `limit` bytes, and what
 * the system says otherwise. A file may grow while it is read, or say that it is empty as those of /proc do: `limit`
 * holds.
 */
export function readRegularSync(path: string, limit: number = READ_LIMIT): Buffer {
  return readOpenedSync(path, limit).bytes;
}

interface ReadFile {
  readonly bytes: Buffer;
  readonly found: Stats;
}

/** The same with the owner and mode of the file that was opened, whose name may lead elsewhere by now. */
export function readOpenedSync(path: string, limit: number = READ_LIMIT): ReadFile {
  const {file, found} = openRegularSync(path, limit);
  try {
    return {bytes: readUpTo(path, {file, size: found.size, limit}), found};
  } finally {
    closeSync(file);
  }
}

interface Opened {
  readonly file: number;
  readonly size: number;
  readonly limit: number;
}

function readUpTo(path: string, {file, size, limit}: Opened): Buffer {
  let bytes: Buffer = Buffer.allocUnsafe(firstSize(size));
  let length = 0;
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    length += read;
    if (length > limit) throw tooLarge(path, limit);
    if (read === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = grow(bytes, limit);
  }
}

/**
 * One byte more than there should be, so that the end is seen early. Files below /proc/sys give nothing to a second
 * read.
 */
export function firstSize(size: number): number {
  return Math.max(size + 1, 4000);
}

/** Room for more, up to one byte past the limit. */
export function grow(bytes: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(Math.max(bytes.length * 2, 1 << 14), limit + 1));
  bytes.copy(larger);
  return larger;
}
