import {lstatSync, readdirSync, watch, type FSWatcher} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';

/** What a tree holds that a confined program must not change or read. */
export interface Protected {
  /** Folders named `.git`. */
  readonly repositories: readonly string[];
  /** Files and links named `.git`, such as those of worktrees and submodules. */
  readonly pointers: readonly string[];
  /** Files and links whose names begin with `.env`. */
  readonly secrets: readonly string[];
}

interface Folder {
  readonly path: string;
  readonly folders: readonly string[];
  readonly protected: Protected;
  /** When it changed last, or undefined when the next change could have the same time. */
  readonly changed: number | undefined;
  watcher?: FSWatcher;
}

/** So many folders are looked at before each use; further ones are watched. */
const LOOKED_AT = 200;
const MOST_WATCHED = 30_000;
/** Times of folders are as fine as the clock ticks of the system. */
const TICK_MS = 50;
/** How long the walk works without letting other work of this program run. */
const SLICE_MS = 15;

/**
 * Finds what is to be protected below a folder: once by walking it, then by what changed. Links are not followed.
 * What cannot be listed cannot be protected, and confined programs cannot list it either.
 */
export class ProtectedTree {
  readonly #folders = new Map<string, Folder>();
  readonly #dirty = new Set<string>();
  /** What all folders hold, until one of them is listed again. */
  #all: Protected | undefined;
  #watched = 0;
  #canWatch = true;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(private readonly root: string) {}

  /** What there is now. */
  async read(): Promise<Protected> {
    // One walk at a time; what changed while it ran is in the next.
    await this.#reading;
    const reading = this.#refresh();
    this.#reading = reading.finally(() => (this.#reading = undefined));
    await this.#reading;
    return (this.#all ??= this.#gather());
  }

  #gather(): Protected {
    const all = [...this.#folders.values()].map((folder) => folder.protected);
    return {
      repositories: all.flatMap(({repositories}) => repositories),
      pointers: all.flatMap(({pointers}) => pointers),
      secrets: all.flatMap(({secrets}) => secrets),
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const {watcher} of this.#folders.values()) watcher?.close();
    this.#folders.clear();
  }

  async #refresh(): Promise<void> {
    if (this.#folders.size === 0) return this.#walk([this.root]);
    // Whatever watchers have to report is reported then.
    await setImmediate();
    const changed = [...this.#folders.values()].filter((folder) => this.#isChanged(folder)).map(({path}) => path);
    if (changed.length > 0) await this.#walk(changed);
  }

  #isChanged({path, changed, watcher}: Folder): boolean {
    if (this.#dirty.delete(path) || changed === undefined) return true;
    return watcher === undefined && changedAt(path) !== changed;
  }

  /** Lists folders again, and those below them that are new. */
  async #walk(paths: readonly string[]): Promise<void> {
    this.#all = undefined;
    const open = [...paths];
    let started = performance.now();
    for (let path = open.pop(); path !== undefined && !this.#isClosed; path = open.pop()) {
      const before = this.#folders.get(path);
      const folder = this.#list(path, before);
      const gone = before?.folders.filter((one) => !folder?.folders.includes(one)) ?? [];
      for (const one of gone) this.#forget(one);
      if (!folder) this.#forget(path);
      else open.push(...folder.folders.filter((one) => !this.#folders.has(one)));
      if (performance.now() - started < SLICE_MS) continue;
      await setImmediate();
      started = performance.now();
    }
  }

  #list(path: string, before: Folder | undefined): Folder | undefined {
    const changed = changedAt(path);
    if (changed === undefined) return undefined;
    const watcher = before?.watcher ?? this.#watch(path);
    const entries = listFolder(path);
    const named = (name: string): string => join(path, name);
    const git = entries.filter(({name}) => name === '.git');
    const folder: Folder = {
      path,
      folders: entries.filter((entry) => entry.isDirectory() && entry.name !== '.git').map(({name}) => named(name)),
      protected: {
        repositories: git.filter((entry) => entry.isDirectory()).map(({name}) => named(name)),
        pointers: git.filter((entry) => !entry.isDirectory()).map(({name}) => named(name)),
        secrets: entries
          .filter((entry) => entry.name.startsWith('.env') && (entry.isFile() || entry.isSymbolicLink()))
          .map(({name}) => named(name)),
      },
      changed: Date.now() - changed < TICK_MS ? undefined : changed,
      ...(watcher ? {watcher} : {}),
    };
    this.#folders.set(path, folder);
    return folder;
  }

  #watch(path: string): FSWatcher | undefined {
    if (!this.#canWatch || this.#folders.size < LOOKED_AT || this.#watched >= MOST_WATCHED) return undefined;
    try {
      const watcher = watch(path, {persistent: false}, () => this.#dirty.add(path));
      watcher.on('error', () => this.#dirty.add(path));
      this.#watched += 1;
      return watcher;
    } catch (error) {
      // The system has no more watches: the rest is looked at.
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      this.#canWatch = false;
      return undefined;
    }
  }

  #forget(path: string): void {
    const folder = this.#folders.get(path);
    if (!folder) return;
    if (folder.watcher) this.#watched -= 1;
    folder.watcher?.close();
    this.#folders.delete(path);
    for (const below of folder.folders) this.#forget(below);
  }
}

function changedAt(path: string): number | undefined {
  try {
    const found = lstatSync(path, {throwIfNoEntry: false});
    return found?.isDirectory() ? found.mtimeMs : undefined;
  } catch (error) {
    return passOverSystem(error);
  }
}

function listFolder(path: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(path);
  } catch (error) {
    return passOverSystem(error) ?? [];
  }
}

const readEntries = (path: string) => readdirSync(path, {withFileTypes: true});

function passOverSystem(error: unknown): undefined {
  if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
}
