import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {Place, WalkRequest} from './engine/engine.js';

export interface NarrowOptions extends Pick<WalkRequest, 'withoutFolders'> {
  readonly isCaseSensitive: boolean;
}

/**
 * Places inside the given ones that the directories at the beginning of a pattern lead to, links and what is left out
 * aside: the rest need not be walked.
 */
export async function narrowPlaces(
  places: readonly Place[],
  folders: readonly string[],
  {withoutFolders, isCaseSensitive}: NarrowOptions,
): Promise<readonly Place[]> {
  if (folders.includes('..')) return places;
  let narrowed = places;
  for (const folder of folders) {
    const inside: Place[] = [];
    for (const place of narrowed)
      inside.push(...(place.isFile ? [place] : await stepInto(place, folder, isCaseSensitive)));
    narrowed = inside;
  }
  const given = new Set(places.map(({path}) => path));
  return narrowed.filter(({path}) => !leadsThrough(path, given, withoutFolders));
}

/** Whether one of these directories lies on the way from the nearest given place. */
function leadsThrough(path: string, given: ReadonlySet<string>, names: readonly string[]): boolean {
  for (let step = path; !given.has(step); step = dirname(step)) if (names.includes(basename(step))) return true;
  return false;
}

async function stepInto(place: Place, folder: string, isCaseSensitive: boolean): Promise<readonly Place[]> {
  const entries = await readdir(place.path, {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
    // The walk will say what cannot be read.
    if (error.code === undefined) throw error;
    return undefined;
  });
  if (entries === undefined) return [place];
  const isMeant = (name: string): boolean =>
    name === folder || (!isCaseSensitive && name.toLowerCase() === folder.toLowerCase());
  return entries
    .filter((entry) => entry.isDirectory() && isMeant(entry.name))
    .map(({name}) => ({...place, path: join(place.path, name)}));
}
