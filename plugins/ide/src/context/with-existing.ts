import {stat} from 'node:fs/promises';
import {isAbsolute} from 'node:path';
import type {OpenFile} from '../protocol.js';

/** More are not looked at, however many an editor names. */
const MOST = 100;

/**
 * Those of the open files that are files on the disk: unsaved ones and views of the editor's own are nothing that tools
 * could read.
 */
export async function withExisting(files: readonly OpenFile[]): Promise<readonly OpenFile[]> {
  const newest = [...files].sort((a, b) => b.timestamp - a.timestamp).slice(0, MOST);
  const found = await Promise.all(
    newest.map(async ({path}) => isAbsolute(path) && (await stat(path).catch(() => undefined))?.isFile() === true),
  );
  return newest.filter((_, index) => found[index]);
}
