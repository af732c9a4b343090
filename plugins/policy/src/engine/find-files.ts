import {DIGITS, GIVEN, isOpen, NAME, ONE, STAR, TREE, VISIBLE} from '../bash/shape.js';
import type {Disk, DiskEntry} from './disk.js';

/** What is on disk of the files that a shape stands for. */
export interface Found {
  readonly paths: readonly string[];
  /** Whether that is all: not when there was too much to look at. */
  readonly isComplete: boolean;
  /** A name that is found has blanks, quotes or characters of globs. */
  readonly isOdd: boolean;
  /** A name that is found begins with a dash, and may be taken for an option. */
  readonly isDashed: boolean;
}

const MOST_ENTRIES = 20_000;
const MOST_FOUND = 5_000;

interface Search {
  readonly disk: Disk;
  readonly found: string[];
  /** How many entries may still be looked at. */
  left: number;
  isOdd: boolean;
  isDashed: boolean;
}

/** Looks up the files that a shape without unknown runs stands for. Nothing is waited for that is not a folder. */
export async function findFiles(shape: string, disk: Disk): Promise<Found> {
  const search: Search = {disk, found: [], left: MOST_ENTRIES, isOdd: false, isDashed: false};
  const [, ...segments] = shape.split('/');
  await descend(search, '', segments);
  return {
    paths: search.found,
    isComplete: search.left > 0 && search.found.length < MOST_FOUND,
    isOdd: search.isOdd,
    isDashed: search.isDashed,
  };
}

async function descend(search: Search, folder: string, segments: readonly string[]): Promise<void> {
  const at = segments.findIndex(isOpen);
  if (at < 0) {
    search.found.push([folder, ...segments].join('/') || '/');
    return;
  }
  const base = [folder, ...segments.slice(0, at)].join('/') || '/';
  const rest = segments.slice(at);
  const [first = '', ...others] = rest;
  if (rest.some((segment) => /[\uE004\uE006]/.test(segment)))
    return walkBelow(search, base, {pattern: patternOf(rest.join('/')), isHidden: !rest.join('/').includes(VISIBLE)});
  const pattern = patternOf(first);
  for (const {name} of await entriesOf(search, base)) {
    if (!pattern.test(name)) continue;
    note(search, name);
    await descend(search, base === '/' ? `/${name}` : `${base}/${name}`, others);
  }
}

async function entriesOf(search: Search, folder: string): Promise<readonly DiskEntry[]> {
  if (search.left <= 0) return [];
  const entries = (await search.disk.list(folder)) ?? [];
  search.left -= entries.length + 1;
  return entries;
}

/** Goes through all folders below, but for links to folders. */
async function walkBelow(
  search: Search,
  base: string,
  {pattern, isHidden}: {pattern: RegExp; isHidden: boolean},
): Promise<void> {
  const queue = [''];
  for (
    let folder = queue.pop();
    folder !== undefined && search.left > 0 && search.found.length < MOST_FOUND;
    folder = queue.pop()
  ) {
    for (const {name, kind} of await entriesOf(search, folder === '' ? base : `${base}/${folder}`)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!isHidden && name.startsWith('.')) continue;
      if (kind === 'folder') queue.push(path);
      if (!pattern.test(path)) continue;
      note(search, path);
      search.found.push(`${base === '/' ? '' : base}/${path}`);
    }
  }
}

function note(search: Search, name: string): void {
  if (/[\s'"\\*?[\]]/.test(name)) search.isOdd = true;
  if (name.startsWith('-')) search.isDashed = true;
}

const SOURCES: Readonly<Record<string, string>> = {
  [STAR]: '[^/]*',
  [GIVEN]: '[^/]*',
  [NAME]: '[^/]*',
  [ONE]: '[^/]',
  [DIGITS]: '\\d*',
  [TREE]: '[^]*',
  [VISIBLE]: '[^]*',
};

/** What the names have to be, from the folder on where the holes begin. */
function patternOf(shape: string): RegExp {
  const source = [...shape]
    .map((character) => SOURCES[character] ?? character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'))
    .join('');
  // A glob at the beginning of a name stands for no dot.
  return new RegExp(`^${/^[\uE001\uE002\uE007]/.test(shape) ? '(?!\\.)' : ''}${source}$`, 'u');
}
