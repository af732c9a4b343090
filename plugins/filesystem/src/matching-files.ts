import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {isToolError, ToolError} from '@gemini-kernel/kernel';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {errnoOf} from './disk-error.js';
import {compilePatterns, type Candidate, type FilePatterns, type PatternRequest} from './file-patterns.js';

export interface FileSearch extends PatternRequest {
  readonly ignore: {readonly git?: boolean; readonly gemini?: boolean};
}

export interface FoundFile {
  readonly path: string;
  /** Whether a pattern asks for it by extension or name, as media need. */
  readonly isNamed: boolean;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface FoundFiles {
  /** Real paths inside the workspace, sorted. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly SkippedFile[];
}

/** Something on the walk. `path` is how patterns see it, `real` where it is; they differ below a link. */
interface Place extends Candidate {
  readonly real: string;
  readonly isDirectory: boolean;
}

/** An entry that was not looked at yet. */
interface Found {
  readonly entry: Dirent;
  readonly place: Omit<Place, 'isDirectory'>;
}

/** No one means to read more files in one call, and each needs a check. */
const MOST_FILES = 5000;
/** How many directories are read at once, and how many of their entries are checked. */
const DIRECTORIES = 32;
const ENTRIES = 2000;

/**
 * Finds the files of all roots that the patterns match. Links are followed inside the workspace, each directory once.
 * Throws ToolError FILES_TOO_MANY as soon as there are more than 5,000.
 */
export async function findMatchingFiles(
  search: FileSearch,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const roots = (await workspace.roots()).map(({path}) => path);
  const walk = new Walk(await compilePatterns(search, roots), workspace, search.ignore);
  // A root inside another one is reached from there.
  const outermost = roots.filter(
    (path) => !roots.some((other) => other !== path && path.startsWith(other.endsWith(sep) ? other : other + sep)),
  );
  let level: readonly Place[] = outermost.map((root) => ({path: root, root, real: root, isDirectory: true}));
  while (level.length > 0) {
    signal.throwIfAborted();
    level = await walk.descend(level, signal);
  }
  return walk.result();
}

class Walk {
  readonly #patterns: FilePatterns;
  readonly #workspace: Workspace;
  readonly #ignore: FileSearch['ignore'];
  readonly #files = new Map<string, FoundFile>();
  readonly #skipped = new Map<string, SkippedFile>();
  readonly #linked = new Set<string>();

  constructor(patterns: FilePatterns, workspace: Workspace, ignore: FileSearch['ignore']) {
    this.#patterns = patterns;
    this.#workspace = workspace;
    this.#ignore = ignore;
  }

  /** Takes the files in these directories and returns the directories to continue with. */
  async descend(level: readonly Place[], signal: AbortSignal): Promise<readonly Place[]> {
    const directories: Place[] = [];
    for (const few of slicesOf(level, DIRECTORIES)) {
      const found = (await Promise.all(few.map((place) => this.#list(place)))).flat();
      for (const some of slicesOf(found, ENTRIES)) {
        signal.throwIfAborted();
        directories.push(...(await this.#take(some)));
        if (this.#files.size > MOST_FILES) throw tooMany();
      }
    }
    return directories;
  }

  async #take(found: readonly Found[]): Promise<readonly Place[]> {
    const all = await Promise.all(found.map(({entry, place}) => this.#placeOf(entry, place)));
    const places = all.filter((place) => place !== undefined);
    const wanted = places.filter((place) =>
      place.isDirectory ? this.#patterns.mayHold(place) : this.#patterns.matches(place),
    );
    const ignored = await this.#workspace.ignored(
      wanted.map(({real, isDirectory}) => (isDirectory ? real + sep : real)),
      this.#ignore,
    );
    const directories: Place[] = [];
    for (const [index, place] of wanted.entries()) {
      if (place.isDirectory) {
        if (!ignored[index]) directories.push(place);
      } else if (ignored[index]) this.#skip(place.real, 'excluded by the ignore rules');
      else this.#files.set(place.real, {path: place.real, isNamed: this.#patterns.names(place.path)});
    }
    return directories;
  }

  result(): FoundFiles {
    return {files: sorted(this.#files), skipped: sorted(this.#skipped)};
  }

  async #list({path, real, root}: Place): Promise<readonly Found[]> {
    const entries = await readdir(real, {withFileTypes: true}).catch((error: unknown) => {
      if (errnoOf(error) === undefined) throw error;
      this.#skip(real, 'a directory that cannot be read');
      return [];
    });
    return entries.map((entry) => ({entry, place: {path: join(path, entry.name), real: join(real, entry.name), root}}));
  }

  async #placeOf(entry: Dirent, place: Omit<Place, 'isDirectory'>): Promise<Place | undefined> {
    if (entry.isDirectory() || entry.isFile()) return {...place, isDirectory: entry.isDirectory()};
    if (!entry.isSymbolicLink() || !(this.#patterns.matches(place) || this.#patterns.mayHold(place))) return undefined;
    try {
      return await this.#follow(place);
    } catch (error) {
      if (!isToolError(error) && errnoOf(error) === undefined) throw error;
      if (this.#patterns.matches(place)) this.#skip(place.real, 'a link that leads nowhere or outside the workspace');
      return undefined;
    }
  }

  /** Where a link leads; undefined for a directory that was reached by another one. */
  async #follow(place: Omit<Place, 'isDirectory'>): Promise<Place | undefined> {
    const real = await this.#workspace.resolve(place.path);
    const isDirectory = (await stat(real)).isDirectory();
    if (isDirectory && this.#linked.has(real)) return undefined;
    if (isDirectory) this.#linked.add(real);
    return {...place, real, isDirectory};
  }

  #skip(path: string, reason: string): void {
    this.#skipped.set(path, {path, reason});
  }
}

function tooMany(): ToolError {
  return new ToolError('FILES_TOO_MANY', `More than ${MOST_FILES} files match, the limit for one call.`, {
    hint: 'Use a smaller folder or a narrower pattern such as src/**/*.ts, or find lines with grep_search.',
  });
}

function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

function sorted<T extends {readonly path: string}>(values: ReadonlyMap<string, T>): readonly T[] {
  return [...values.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
