import {readdir} from 'node:fs/promises';
import {basename, isAbsolute, join, resolve, sep} from 'node:path';
import type {Files, FoundPath} from '@gemini-kernel/plugin-search/contract';

/** What a search for files needs. */
export interface FilePlaces {
  readonly cwd: string;
  readonly home: string;
  /** Finds files in all directories of the workspace; undefined when disabled or unavailable. */
  finder(): Promise<Files | undefined>;
  /** For each path, whether it is ignored; a directory ends with a separator. */
  ignored(paths: readonly string[]): Promise<readonly boolean[]>;
}

/** A search for completions. */
export interface FileSearch {
  readonly signal: AbortSignal;
  /** Called with the best results while the search runs. */
  readonly update?: (found: readonly string[]) => void;
}

const MOST_FOUND = 50;

interface Entry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** The completions of a partial path: entries of its directory. Directories end with a slash. */
export async function listPaths(begun: string, places: FilePlaces, signal: AbortSignal): Promise<readonly string[]> {
  const cut = Math.max(begun.lastIndexOf('/'), begun.lastIndexOf('\\')) + 1;
  const [folder, start] = [begun.slice(0, cut), begun.slice(cut)];
  const entries = await readFolder(resolve(places.cwd, expandHome(folder, places.home)), start.startsWith('.'), places);
  signal.throwIfAborted();
  return entries
    .map(({path, isDirectory}) => `${folder}${basename(path)}${isDirectory ? '/' : ''}`)
    .filter((path) => path.startsWith(begun));
}

/**
 * Files and directories anywhere in the workspace that match, the best first: those whose name starts with the text, or
 * else those that contain its letters. A path with existing entries, or one outside the search, is only listed.
 */
export async function searchFiles(
  begun: string,
  places: FilePlaces,
  {signal, update}: FileSearch,
): Promise<readonly string[]> {
  const isPlace = begun === '' || isAbsolute(begun) || /^(?:~|\.{1,2}[/\\])/.test(begun);
  const isListed = isPlace || /[/\\]/.test(begun);
  const listed = isListed ? await listPaths(begun, places, signal) : [];
  const finder = isPlace || listed.length > 0 ? undefined : await places.finder();
  signal.throwIfAborted();
  if (!finder) return isListed ? listed : listPaths(begun, places, signal);
  const find = async (text: string): Promise<readonly string[]> => {
    const choose = (found: readonly FoundPath[]): readonly string[] =>
      chooseBegun(
        found.map((one) => nameOf(one, places.cwd)),
        begun,
      );
    return choose(
      await finder.find(text, {
        most: MOST_FOUND,
        signal,
        ...(update ? {update: (found) => update(choose(found))} : {}),
      }),
    );
  };
  const found = await find(begun);
  const folded = begun.toLowerCase();
  return found.length === 0 && folded !== begun ? find(folded) : found;
}

/** Matches by the start of the last name, or of the whole path if the text has a slash. */
function chooseBegun(paths: readonly string[], begun: string): readonly string[] {
  const folded = begun.toLowerCase().replaceAll('\\', '/');
  const starting = paths.filter((path) =>
    (folded.includes('/') ? path : basename(path)).toLowerCase().startsWith(folded),
  );
  return starting.length > 0 ? starting : paths;
}

function nameOf({path, isDirectory}: FoundPath, cwd: string): string {
  const inside = join(cwd, sep);
  const name = path.startsWith(inside) ? path.slice(inside.length) : path;
  return `${sep === '/' ? name : name.replaceAll(sep, '/')}${isDirectory ? '/' : ''}`;
}

function expandHome(path: string, home: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : path === '' ? '.' : path;
}

async function readFolder(folder: string, showsHidden: boolean, places: FilePlaces): Promise<readonly Entry[]> {
  const all = await readdir(folder, {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
    // An unreadable folder offers nothing.
    if (error.code !== undefined) return [];
    throw error;
  });
  const entries = all
    .filter(({name}) => name !== '.git' && (showsHidden || !name.startsWith('.')))
    .map((entry) => ({path: join(folder, entry.name), isDirectory: entry.isDirectory()}))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const ignored = await places.ignored(entries.map(({path, isDirectory}) => (isDirectory ? join(path, '/') : path)));
  return entries.filter((_, index) => ignored[index] !== true);
}
