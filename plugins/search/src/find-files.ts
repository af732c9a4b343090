import type {IgnoreOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {Place} from './engine/engine.js';
import {comparePaths} from './engine/path-order.js';
import {compileFileTest} from './file-test.js';
import {findLiteral} from './find-literal.js';
import {narrowPlaces} from './narrow-places.js';
import {RecentFirst} from './recent-first.js';
import type {Search} from './search.js';

export interface FileSearch {
  readonly pattern: string;
  readonly places: readonly Place[];
  readonly isCaseSensitive: boolean;
  readonly ignore: IgnoreOptions | false;
  readonly withoutFolders: readonly string[];
  readonly search: Pick<Search, 'list'>;
  readonly workspace: Pick<Workspace, 'resolve' | 'ignored'>;
  readonly signal: AbortSignal;
  /** Stops when so many are found. */
  readonly most?: number;
  /** Told how many there are so far, and one of them. */
  readonly onFound?: (count: number, path: string) => void;
}

export interface FoundFiles {
  readonly paths: readonly string[];
  readonly unreadable: readonly string[];
}

/** Time between two reports of progress. */
const TELL_MS = 100;

/**
 * Finds the files that a glob names, the recently changed first. A pattern that is the path of a file means that one.
 */
export async function findFiles(request: FileSearch): Promise<FoundFiles> {
  const {pattern, places, ignore, workspace} = request;
  const literal = await findLiteral(pattern, places, workspace);
  if (literal === undefined) return walkFor(request);
  const ignored = ignore === false ? [] : await workspace.ignored(literal, ignore);
  return {paths: literal.filter((_, index) => ignored[index] !== true), unreadable: []};
}

async function walkFor({
  pattern,
  places,
  isCaseSensitive,
  ignore,
  withoutFolders,
  search,
  signal,
  most,
  onFound,
}: FileSearch): Promise<FoundFiles> {
  const placed = await compileFileTest(pattern, places, {isCaseSensitive, matchesNames: false});
  const narrowed = await narrowPlaces(placed.places, placed.base, {isCaseSensitive, withoutFolders});
  const found = new RecentFirst(Date.now());
  const enough = new AbortController();
  let count = 0;
  let told = 0;
  const onPaths = (paths: readonly string[]): void => {
    if (enough.signal.aborted) return;
    count += paths.length;
    found.add(most === undefined ? paths : paths.slice(0, most));
    if (most !== undefined && count >= most) enough.abort();
    const now = performance.now();
    if (onFound && paths[0] !== undefined && now - told >= TELL_MS) onFound(count, paths[0]);
    if (now - told >= TELL_MS) told = now;
  };
  const wanted = {places: narrowed, ignore, withoutFolders, withoutEndings: [], wants: placed.test};
  const {unreadable} = await search
    .list({...wanted, signal: AbortSignal.any([signal, enough.signal]), onPaths})
    .catch((error: unknown) => {
      if (!enough.signal.aborted || signal.aborted) throw error;
      return {unreadable: []};
    });
  const ordered = await found.list();
  return {paths: ordered.paths, unreadable: [...new Set([...unreadable, ...ordered.unreadable])].sort(comparePaths)};
}
