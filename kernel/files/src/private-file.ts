import {constants, closeSync, fstatSync, openSync, writeSync} from 'node:fs';
import {open, writeFile, type FileHandle} from 'node:fs/promises';
import {checkRegular} from './check-regular.js';
import {PRIVATE_FILE} from './private-folder.js';

/** An open for writing never waits for a reader. */
const APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** Makes a new file for its owner only. Throws EEXIST when something has the name, be it a link. */
export async function createPrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, {flag: 'wx', mode: PRIVATE_FILE});
}

/**
 * Opens a file to add to its end; one that is new is for its owner only. With `isNew` there must be nothing yet. Throws
 * FileFault when it is not a regular file.
 */
export async function openToAppend(path: string, options: {readonly isNew?: boolean} = {}): Promise<FileHandle> {
  const handle = await open(path, options.isNew ? APPENDING | constants.O_EXCL : APPENDING, PRIVATE_FILE);
  try {
    checkRegular(path, await handle.stat(), Infinity);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Adds to the end of a file. Throws as `openToAppend` does. */
export async function appendPrivateFile(path: string, text: string): Promise<void> {
  const handle = await openToAppend(path);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** The same, by the thread that asks: a few small steps, ten times faster than through the thread pool. */
export function appendPrivateFileSync(path: string, text: string): void {
  const file = openSync(path, APPENDING, PRIVATE_FILE);
  try {
    checkRegular(path, fstatSync(file), Infinity);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}
