import {lstatSync} from 'node:fs';

/**
 * Whether there is nothing at a path. A link that leads nowhere is something, and so is what cannot be looked at. Many
 * files of a start are not there, and an error that is made and caught takes ten times as long.
 */
export function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) === undefined;
  } catch {
    return false;
  }
}
