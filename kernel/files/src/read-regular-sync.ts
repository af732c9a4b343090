import {closeSync, fstatSync, lstatSync, openSync, readSync, statSync, type Stats} from 'node:fs';
import {checkRegular, READING} from './check-regular.js';
import {notAFile, tooLarge} from './file-fault.js';
import {READ_LIMIT} from './read-limit.js';

/**
 * The bytes of a regular file, links followed. For starts, which wait for small files: it is several times faster
 * than `readRegular`, and has no deadline. Throws FileFault for anything else than a file of at most `limit` bytes,
 * and what the system says otherwise. A file may grow while it is read, or say that it is empty as those of /proc do:
 * `limit` holds.
 */
export function readRegularSync(path: string, limit: number = READ_LIMIT): Buffer {
  // Before it is opened: opening a device can do things, and opening a socket fails with a code that says little.
  checkRegular(path, followSync(path), limit);
  const file = openSync(path, READING);
  try {
    // What was looked at may have been replaced.
    const found = fstatSync(file);
    checkRegular(path, found, limit);
    return readUpTo(path, {file, size: found.size, limit});
  } finally {
    closeSync(file);
  }
}

function followSync(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink()) {
      throw notAFile(path, 'link that leads nowhere');
    }
    throw error;
  }
}

interface Opened {
  readonly file: number;
  readonly size: number;
  readonly limit: number;
}

function readUpTo(path: string, {file, size, limit}: Opened): Buffer {
  // One byte more than there should be, so that the end is seen by the first read that is not full.
  let bytes: Buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    length += read;
    if (length > limit) throw tooLarge(path, limit);
    if (read === 0) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = grow(bytes, limit);
  }
}

/** Room for more, up to one byte past the limit. */
export function grow(bytes: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(Math.max(bytes.length * 2, 1 << 14), limit + 1));
  bytes.copy(larger);
  return larger;
}
