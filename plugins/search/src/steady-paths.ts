import {lstatSync} from 'node:fs';
import {dirname, sep} from 'node:path';
import {systemPath} from './engine/bytes.js';

/** Clocks of file systems are coarser than ours, and some are kept elsewhere. */
const SLACK_MS = 1000;

/**
 * Returns a check that nothing was moved on the way to a real path, from its workspace directory down, since a time:
 * what was read there is then what is there now. A directory in which an entry was swapped has a later change time,
 * which no program can set.
 */
export function createSteadyCheck(
  roots: readonly string[],
  since: number,
): (paths: readonly string[]) => readonly boolean[] {
  const outermost = new Set(
    roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(other + sep))),
  );
  return (paths) => {
    // Good for the moment only.
    const known = new Map<string, boolean>();
    const isSteady = (folder: string): boolean => {
      const before = known.get(folder);
      if (before !== undefined) return before;
      const above = dirname(folder);
      const is =
        wasLeftAlone(folder, since - SLACK_MS) && (outermost.has(folder) || above === folder || isSteady(above));
      known.set(folder, is);
      return is;
    };
    return paths.map((path) => isSteady(dirname(path)));
  };
}

function wasLeftAlone(folder: string, since: number): boolean {
  try {
    const stats = lstatSync(systemPath(folder), {throwIfNoEntry: false});
    return stats?.isDirectory() === true && stats.ctimeMs < since;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
