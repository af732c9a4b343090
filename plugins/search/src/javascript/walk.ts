import {lstat} from 'node:fs/promises';
import {sep} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {IgnoreWalk} from '@gemini-kernel/plugin-workspace/contract';
import {systemPath} from '../engine/bytes.js';
import type {Place, WalkRequest} from '../engine/engine.js';
import {comparePaths} from '../engine/path-order.js';
import {readDirectory, type DirectoryEntry} from './read-directory.js';
import {judgeFailure} from './system-failure.js';

export interface WalkOptions {
  /** Undefined: nothing is ignored. */
  readonly ignored: IgnoreWalk | undefined;
  readonly signal: AbortSignal;
  /** Told of what exists and cannot be read. */
  onUnreadable(path: string): void;
}

/** A directory on the way down. */
interface Folder {
  readonly path: string;
  /** From each base of the place, with `/` between names and at the end. */
  readonly inside: readonly string[];
  /** Those that are meant, in order. */
  readonly entries: readonly DirectoryEntry[];
  /** Which comes next. */
  at: number;
  /** From where on directories are not being read yet. */
  unread: number;
  /** Of directories that are being read, by their index. */
  readonly ahead: Map<number, Promise<Folder | undefined>>;
}

/** So many directories are read before it is their turn, and while they hold no more entries than this. */
const MOST_AHEAD = 24;
const MOST_ENTRIES_AHEAD = 20_000;
/** Files are given in pieces of this size at most. */
const PIECE = 1000;
/** Others get their turn this often. */
const TURN_MS = 10;

/**
 * The paths of files of one of the places, without those of places inside it, in path order, a few at a time. Stops
 * with the signal's reason. Holds no more than the directories above the one it is in and a few of the next ones.
 */
export function walkFiles(
  place: Place,
  request: WalkRequest,
  options: WalkOptions,
): AsyncGenerator<readonly string[], void> {
  return new Walk(request, options).run(place);
}

class Walk {
  readonly #request: WalkRequest;
  readonly #options: WalkOptions;
  readonly #withoutFolders: ReadonlySet<string>;
  /** Paths of places that another may lead to. */
  readonly #places: ReadonlySet<string>;
  #ahead = 0;
  #entriesAhead = 0;
  #lastTurn = 0;

  constructor(request: WalkRequest, options: WalkOptions) {
    this.#request = request;
    this.#options = options;
    this.#withoutFolders = new Set(request.withoutFolders);
    this.#places = new Set(request.places.length > 1 ? request.places.map(({path}) => path) : []);
  }

  async *run(place: Place): AsyncGenerator<readonly string[], void> {
    this.#options.signal.throwIfAborted();
    if (!place.isFile) yield* this.#below(place);
    else if (await this.#isFile(place)) yield [place.path];
  }

  async *#below({path, bases}: Place): AsyncGenerator<readonly string[], void> {
    const top = await this.#read(
      path,
      bases.map((base) => insideOf(path, base)),
    );
    const stack = top ? [top] : [];
    for (let folder = stack.at(-1); folder; folder = stack.at(-1)) {
      await this.#breathe();
      this.#readAhead(stack);
      const files = nextFiles(folder);
      if (files.length > 0) yield files;
      if (folder.entries[folder.at]?.isDirectory) {
        const inner = await this.#enter(folder, folder.at);
        folder.at += 1;
        if (inner) stack.push(inner);
      } else if (folder.at >= folder.entries.length) stack.pop();
    }
  }

  /** Begins to read the directories that come next. */
  #readAhead(stack: readonly Folder[]): void {
    for (let level = stack.length - 1; level >= 0; level -= 1) {
      const folder = stack[level];
      if (!folder) continue;
      for (
        folder.unread = Math.max(folder.unread, folder.at);
        folder.unread < folder.entries.length;
        folder.unread += 1
      ) {
        if (this.#ahead >= MOST_AHEAD || this.#entriesAhead >= MOST_ENTRIES_AHEAD) return;
        if (folder.entries[folder.unread]?.isDirectory) this.#start(folder, folder.unread);
      }
    }
  }

  #start(folder: Folder, index: number): void {
    const reading = this.#readEntry(folder, index);
    this.#ahead += 1;
    folder.ahead.set(index, reading);
    // Entering the folder reports the failure; if it is never entered, the failure does not matter.
    reading.then(
      (inner) => (this.#entriesAhead += inner?.entries.length ?? 0),
      () => undefined,
    );
  }

  async #enter(folder: Folder, index: number): Promise<Folder | undefined> {
    const ahead = folder.ahead.get(index);
    if (!ahead) return this.#readEntry(folder, index);
    folder.ahead.delete(index);
    const inner = await ahead;
    this.#ahead -= 1;
    this.#entriesAhead -= inner?.entries.length ?? 0;
    return inner;
  }

  #readEntry(folder: Folder, index: number): Promise<Folder | undefined> {
    const name = folder.entries[index]?.name ?? '';
    return this.#read(
      joined(folder.path, name),
      folder.inside.map((inside) => `${inside}${name}/`),
    );
  }

  async #read(path: string, inside: readonly string[]): Promise<Folder | undefined> {
    let all: readonly DirectoryEntry[];
    try {
      all = await readDirectory(path);
    } catch (error) {
      if (judgeFailure(error) === 'unreadable') this.#options.onUnreadable(path);
      return undefined;
    }
    const ignored = await this.#options.ignored?.entries(path, all);
    const entries: DirectoryEntry[] = [];
    for (const [index, entry] of all.entries()) {
      if (index % PIECE === PIECE - 1) await this.#breathe();
      if (ignored?.[index] !== true && this.#isMeant(entry, path, inside)) entries.push(entry);
    }
    return {path, inside, entries: inOrder(entries), at: 0, unread: 0, ahead: new Map()};
  }

  #isMeant({name, isDirectory, isFile}: DirectoryEntry, path: string, inside: readonly string[]): boolean {
    if (this.#places.size > 0 && this.#places.has(joined(path, name))) return false;
    if (isDirectory) return !this.#withoutFolders.has(name);
    if (!isFile || this.#request.withoutEndings.some((ending) => name.endsWith(ending))) return false;
    const {wants} = this.#request;
    return wants === undefined || inside.some((one) => wants.matches(one + name));
  }

  async #isFile({path}: Place): Promise<boolean> {
    try {
      return (await lstat(systemPath(path))).isFile();
    } catch (error) {
      if (judgeFailure(error) === 'unreadable') this.#options.onUnreadable(path);
      return false;
    }
  }

  async #breathe(): Promise<void> {
    this.#options.signal.throwIfAborted();
    const now = performance.now();
    if (now - this.#lastTurn < TURN_MS) return;
    await setImmediate();
    this.#lastTurn = performance.now();
    this.#options.signal.throwIfAborted();
  }
}

/** The next files of a directory, up to the next directory in it. */
function nextFiles(folder: Folder): readonly string[] {
  const files: string[] = [];
  for (
    let entry = folder.entries[folder.at];
    entry?.isFile && files.length < PIECE;
    entry = folder.entries[folder.at]
  ) {
    files.push(joined(folder.path, entry.name));
    folder.at += 1;
  }
  return files;
}

/** Of a directory, from one that is it or holds it. */
function insideOf(path: string, base: string): string {
  const names = path
    .slice(base.length)
    .split(sep)
    .filter((name) => name !== '');
  return names.map((name) => `${name}/`).join('');
}

function joined(directory: string, name: string): string {
  return directory.endsWith(sep) ? directory + name : directory + sep + name;
}

function inOrder(entries: DirectoryEntry[]): readonly DirectoryEntry[] {
  // Up to here, letters are in the same order as the bytes that stand for them.
  const isSimple = entries.every(({name}) => !/[\ud800-\uffff]/.test(name));
  return entries.sort(isSimple ? (a, b) => (a.name < b.name ? -1 : 1) : (a, b) => comparePaths(a.name, b.name));
}
