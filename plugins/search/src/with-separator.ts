import {sep} from 'node:path';

/** A directory as everything in it begins. */
export function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}
