import {closeSync, fstatSync, lstatSync, openSync, statSync, type Stats} from 'node:fs';
import {checkRegular, READING} from './check-regular.js';
import {notAFile} from './file-fault.js';

/** A file that is open for reading. Its name may lead elsewhere by now. */
export interface OpenedFile {
  readonly file: number;
  readonly found: Stats;
}

/**
 * Opens a regular file for reading, links followed; the caller closes it. Throws FileFault for anything else than a
 * file of at most `limit` bytes, and what the system says otherwise. It never waits for a writer.
 */
export function openRegularSync(path: string, limit = Infinity): OpenedFile {
  // Before it is opened: opening a device can do things, and opening a socket fails with a code that says little.
  checkRegular(path, followSync(path), limit);
  const file = openSync(path, READING);
  try {
    // What was looked at may have been replaced.
    const found = fstatSync(file);
    checkRegular(path, found, limit);
    return {file, found};
  } catch (error) {
    closeSync(file);
    throw error;
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
