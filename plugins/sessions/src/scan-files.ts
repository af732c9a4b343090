import {lstatSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {listWithGit, type IndexEntry} from './git-index.js';
import {systemCode} from './system-code.js';

/** A file's stat data, without its content: a change of content almost always changes some of it. */
export interface Look {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly mode: number;
}

/** The stat data of the files in the workspace at one moment. */
export interface Scan {
  readonly looks: ReadonlyMap<string, Look>;
  /** Files that git holds unchanged. */
  readonly clean: ReadonlyMap<string, IndexEntry & {readonly root: string}>;
  /** A sentence, when some files were not checked. */
  readonly gap?: string;
}

export interface ScanOptions {
  readonly roots: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether the ignore rules leave these out. */
  ignored(paths: readonly string[]): Promise<readonly boolean[]>;
  readonly mostFiles: number;
  readonly mostMs: number;
}

const BATCH = 500;

/** Stats every file that is not ignored, within the limits. */
export async function scanFiles(options: ScanOptions): Promise<Scan> {
  const deadline = performance.now() + options.mostMs;
  const looks = new Map<string, Look>();
  const clean = new Map<string, IndexEntry & {readonly root: string}>();
  let gap: string | undefined;
  for (const root of options.roots) {
    const listed = await listWithGit(root, options.variables, options.mostMs);
    const paths = listed ? toAsync([...listed.held.keys(), ...listed.others]) : walk(root, options);
    let count = 0;
    for await (const path of paths) {
      gap = findGap(looks.size, deadline, options);
      if (gap !== undefined) break;
      const look = looks.has(path) ? undefined : lookAt(path);
      if (look) {
        looks.set(path, look);
        const entry = listed?.held.get(path);
        if (entry && isClean(entry, look)) clean.set(path, {...entry, root});
      }
      if ((count += 1) % BATCH === 0) await setImmediate();
    }
  }
  return {looks, clean, ...(gap === undefined ? {} : {gap})};
}

/** Why no further file may be checked; undefined when one may. */
function findGap(count: number, deadline: number, {mostFiles, mostMs}: ScanOptions): string | undefined {
  if (count >= mostFiles)
    return (
      `There are more than ${mostFiles} files in the workspace; changes that commands make in the rest are ` +
      'not detected.'
    );
  if (performance.now() <= deadline) return undefined;
  const sentence = `Checking the workspace takes longer than ${mostMs} ms;`;
  return `${sentence} changes that commands make in the rest of it are not detected.`;
}

function isClean(entry: IndexEntry, look: Look): boolean {
  return entry.size === look.size && Math.abs(entry.mtimeMs - look.mtimeMs) < 0.01;
}

async function* toAsync(paths: readonly string[]): AsyncIterable<string> {
  yield* paths;
}

/** Without git, the ignore rules of the workspace decide. */
async function* walk(root: string, {ignored}: ScanOptions): AsyncIterable<string> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder).filter(({name}) => name !== '.git');
    const places = entries.map((entry) => join(entry.parentPath, entry.name));
    const isIgnored = await ignored(places.map((path, index) => (entries[index]?.isDirectory() ? `${path}/` : path)));
    for (const [index, entry] of entries.entries()) {
      const path = places[index];
      if (path === undefined || isIgnored[index] !== false) continue;
      if (entry.isDirectory()) folders.push(path);
      else yield path;
    }
  }
}

function entriesOf(folder: string): ReturnType<typeof readFolder> {
  try {
    return readFolder(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function readFolder(folder: string): {name: string; parentPath: string; isDirectory(): boolean}[] {
  return readdirSync(folder, {withFileTypes: true}).map((entry) => ({
    name: entry.name,
    parentPath: folder,
    isDirectory: () => entry.isDirectory(),
  }));
}

/** The current stat data of a file; undefined when there is no file. */
export function lookAt(path: string): Look | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory()
      ? undefined
      : {size: stats.size, mtimeMs: stats.mtimeMs, inode: stats.ino, mode: stats.mode};
  } catch (error) {
    // Removed meanwhile.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether the stat data of two moments is the same. */
export function isSameLook(a: Look | undefined, b: Look | undefined): boolean {
  return a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.inode === b?.inode && a?.mode === b?.mode;
}
