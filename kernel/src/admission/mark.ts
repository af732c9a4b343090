import type {Stats} from 'node:fs';

/** What changes when the content of a file may have: its size, times and inode; a folder's says whether names came or went. */
export function markOf({size, mtimeMs, ctimeMs, ino}: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
