import {realpathSync} from 'node:fs';

/** Where a path leads; undefined when nothing is there that can be reached. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return undefined;
  }
}

/** The same, and the path itself where nothing is there. */
export function realOrSame(path: string): string {
  return realOf(path) ?? path;
}
