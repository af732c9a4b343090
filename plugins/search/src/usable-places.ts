import {access, constants} from 'node:fs/promises';
import {systemPath} from './engine/bytes.js';
import type {Place, Walked} from './engine/engine.js';
import {comparePaths} from './engine/path-order.js';

export interface SortedPlaces {
  readonly usable: readonly Place[];
  /** Directories of the workspace that are gone, and places that may not be listed. */
  readonly lost: readonly string[];
}

/**
 * Finds the places that can be searched: a directory of the workspace may have been removed or closed since it joined.
 */
export async function sortPlaces(places: readonly Place[]): Promise<SortedPlaces> {
  const states = await Promise.all(places.map(stateOf));
  return {
    usable: places.filter((_, index) => states[index] === 'usable'),
    lost: places.filter((_, index) => states[index] === 'lost').map(({path}) => path),
  };
}

/** What a walk could not read, with the places that it did not begin with. */
export function withLost<W extends Walked>(walked: W, lost: readonly string[]): W {
  if (lost.length === 0) return walked;
  return {...walked, unreadable: [...new Set([...walked.unreadable, ...lost])].sort(comparePaths)};
}

async function stateOf({path, root, isFile}: Place): Promise<'usable' | 'lost' | 'vanished'> {
  if (isFile) return 'usable';
  try {
    await access(systemPath(path), constants.R_OK | constants.X_OK);
    return 'usable';
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Below a directory of the workspace files come and go.
    return path !== root && (code === 'ENOENT' || code === 'ENOTDIR') ? 'vanished' : 'lost';
  }
}
