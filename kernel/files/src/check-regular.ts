import {constants, type Stats} from 'node:fs';
import {notAFile, tooLarge, type OddKind} from './file-fault.js';

/**
 * How a file of configuration is opened: an open never waits for a writer, and never takes a terminal. Windows has
 * neither flag.
 */
export const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Throws FileFault unless the path is a regular file of at most `limit` bytes, as far as its size says. */
export function checkRegular(path: string, found: Stats, limit: number): void {
  if (!found.isFile()) throw notAFile(path, kindOf(found));
  if (found.size > limit) throw tooLarge(path, limit);
}

/** What something is that is not a regular file. */
export function kindOf(found: Stats): OddKind {
  if (found.isDirectory()) return 'directory';
  if (found.isFIFO()) return 'FIFO';
  if (found.isSocket()) return 'socket';
  return found.isSymbolicLink() ? 'link' : 'device';
}
