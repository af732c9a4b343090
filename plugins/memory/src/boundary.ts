import {access} from 'node:fs/promises';
import {dirname, isAbsolute, join} from 'node:path';

/**
 * The nearest folder, from here upward, that contains one of the markers (`.git`); undefined when there is no such
 * folder.
 */
export async function findBoundary(folder: string, markers: readonly string[]): Promise<string | undefined> {
  const usable = markers.filter(
    (marker) => marker !== '' && !isAbsolute(marker) && !marker.split(/[\\/]/).includes('..'),
  );
  if (usable.length === 0) return undefined;
  for (let at = folder; ; at = dirname(at)) {
    for (const marker of usable) if (await exists(join(at, marker))) return at;
    if (dirname(at) === at) return undefined;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The folders from `ceiling` down to `folder`, which is inside it, outermost first. */
export function chainOf(folder: string, ceiling: string): readonly string[] {
  const chain = [folder];
  for (let at = folder; at !== ceiling && dirname(at) !== at; at = dirname(at)) chain.unshift(dirname(at));
  return chain;
}
