import {stat} from 'node:fs/promises';
import {isAbsolute} from 'node:path';
import type {OpenFile} from '../protocol.js';

/** The most files to look at, however many an editor names. */
const MOST = 100;

/**
 * The open files that exist on disk. Unsaved files and the editor's own views are left out, because tools cannot read
 * them.
 */
export async function withExisting(files: readonly OpenFile[]): Promise<readonly OpenFile[]> {
  const newest = [...files].sort((a, b) => b.timestamp - a.timestamp).slice(0, MOST);
  const found = await Promise.all(
    newest.map(async ({path}) => isAbsolute(path) && (await stat(path).catch(() => undefined))?.isFile() === true),
  );
  return newest.filter((_, index) => found[index]);
}
