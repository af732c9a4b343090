import {sep} from 'node:path';

/** Whether a path is another one, or below it; without one, every path is. */
export function isWithin(path: string, around: string | undefined): boolean {
  if (around === undefined || path === around) return true;
  return path.startsWith(around.endsWith(sep) ? around : around + sep);
}
