import {readdir} from 'node:fs/promises';
import {basename, isAbsolute, join, resolve} from 'node:path';

/** What looking for files needs to know. */
export interface FilePlaces {
  readonly cwd: string;
  readonly home: string;
  /** Directories that are searched, the working directory first. */
  roots(): Promise<readonly string[]>;
  /** For each path, whether it is left out; a directory ends with a separator. */
  ignored(paths: readonly string[]): Promise<readonly boolean[]>;
}

const MOST_FOUND = 50;
const MOST_VISITED = 5000;

interface Entry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** What a path that was begun can become: entries of its directory. Directories end with a slash. */
export async function listPaths(begun: string, places: FilePlaces, signal: AbortSignal): Promise<readonly string[]> {
  const cut = Math.max(begun.lastIndexOf('/'), begun.lastIndexOf('\\')) + 1;
  const [folder, start] = [begun.slice(0, cut), begun.slice(cut)];
  const entries = await readFolder(resolve(places.cwd, expandHome(folder, places.home)), start.startsWith('.'), places);
  signal.throwIfAborted();
  return entries.map(({path, isDirectory}) => `${folder}${basename(path)}${isDirectory ? '/' : ''}`).filter((path) => path.startsWith(begun));
}

/** Files and directories anywhere in the roots whose path or name begins as given, those nearest to the top first. */
export async function searchFiles(begun: string, places: FilePlaces, signal: AbortSignal): Promise<readonly string[]> {
  if (begun === '' || isAbsolute(begun) || /^~|[/\\]/.test(begun)) return listPaths(begun, places, signal);
  const found: string[] = [];
  let visited = 0;
  for (const root of await places.roots()) {
    let level: readonly string[] = [root];
    while (level.length > 0 && found.length < MOST_FOUND && visited < MOST_VISITED) {
      const below: string[] = [];
      for (const folder of level) {
        signal.throwIfAborted();
        const entries = await readFolder(folder, begun.startsWith('.'), places);
        visited += entries.length;
        for (const {path, isDirectory} of entries) {
          if (startsAs(basename(path), begun)) found.push(nameOf(path, places.cwd) + (isDirectory ? '/' : ''));
          if (isDirectory) below.push(path);
        }
        if (visited >= MOST_VISITED) break;
      }
      level = below;
    }
  }
  return found.slice(0, MOST_FOUND);
}

function startsAs(name: string, begun: string): boolean {
  return name.toLowerCase().startsWith(begun.toLowerCase());
}

function nameOf(path: string, cwd: string): string {
  const name = path.startsWith(join(cwd, '/')) ? path.slice(join(cwd, '/').length) : path;
  return name.replaceAll('\\', '/');
}

function expandHome(path: string, home: string): string {
  return /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : path === '' ? '.' : path;
}

async function readFolder(folder: string, showsHidden: boolean, places: FilePlaces): Promise<readonly Entry[]> {
  const all = await readdir(folder, {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
    // A folder that cannot be read has nothing to offer.
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
