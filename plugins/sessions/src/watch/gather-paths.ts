import {lstatSync} from 'node:fs';
import {systemCode} from '../system-code.js';
import {walkFolders} from './walk-folders.js';
import type {Base, Watched} from './watched-workspace.js';

/** What events are about, resolved to files. */
export interface Gathered {
  readonly files: ReadonlySet<string>;
  /** Folders that were created, removed or replaced: what git held below them counts, too. */
  readonly folders: readonly string[];
  /** Files whose names were added or removed, not only their content. */
  readonly named: ReadonlySet<string>;
}

/** The files that events are about. New folders are watched from now on, and listed. */
export async function gatherPaths(watched: Watched, paths: ReadonlyMap<string, boolean>): Promise<Gathered> {
  const {watch, known} = watched;
  const [files, named, replaced] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [path, isNamed] of paths) {
    const isFolder = isDirectory(path);
    if (isFolder && !isNamed) continue;
    files.add(path);
    if (isNamed) named.add(path);
    if (isFolder || watch.has(path)) replaced.add(path);
  }
  const folders = [...replaced].filter((path) => !hasAncestor(path, replaced));
  for (const folder of folders) {
    watch.remove(folder);
    const add = (path: string): void => void (files.add(path), named.add(path));
    for (const path of known.below(folder)) add(path);
    if (isDirectory(folder)) await watchFolder(watched, folder, add);
  }
  return {files, folders, named};
}

/** The innermost base that contains a path. */
export function baseOf(bases: readonly Base[], path: string): Base | undefined {
  const holding = bases.filter(({root}) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
  return holding.sort((a, b) => b.root.length - a.root.length)[0];
}

async function watchFolder(
  {watch, workspace, bases, signal}: Watched,
  folder: string,
  onFile: (path: string) => void,
): Promise<void> {
  const base = baseOf(bases, folder);
  const options = base?.git ? {git: true, gemini: false} : {};
  const [isIgnored] = await workspace.ignored([`${folder}/`], options);
  if (!base || isIgnored !== false) return;
  const ignores = await workspace.ignoreWalk(options);
  await walkFolders(folder, {watch, ignores, signal, repository: base.git ? base.root : undefined, onFile});
}

function hasAncestor(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    if (folders.has(path.slice(0, at))) return true;
  return false;
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (error) {
    // Missing or unreadable: not a folder to list.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
