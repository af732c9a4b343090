import {realpathSync} from 'node:fs';

/** Whether two paths are one directory, whatever they are spelled like. */
export function isSameDirectory(a: string, b: string): boolean {
  return a === b || findRealPath(a) === findRealPath(b);
}

function findRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A directory that is not there is no other one.
    return path;
  }
}
