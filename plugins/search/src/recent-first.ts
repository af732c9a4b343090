import {lstatSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import {systemPath} from './engine/bytes.js';
import {judgeFailure} from './javascript/system-failure.js';

/** Changed within this time, a file is recent. */
const RECENT_MS = 24 * 60 * 60 * 1000;
/** How long other work may have to wait. */
const SLICE_MS = 8;
/** How many files are looked at between two looks at the clock. */
const STEP = 32;

/** Files in order, and those that exist and cannot be looked at. */
export interface Ordered {
  readonly paths: readonly string[];
  readonly unreadable: readonly string[];
}

interface Recent {
  readonly path: string;
  readonly changed: number;
}

/**
 * Puts paths in order as they come: the recently changed first, the newest of them at the top, then the others by path.
 */
export class RecentFirst {
  readonly #since: number;
  readonly #recent: Recent[] = [];
  readonly #others: string[] = [];
  readonly #waiting: (readonly string[])[] = [];
  readonly #unreadable: string[] = [];
  #looking: Promise<void> | undefined;
  /** What went wrong in the background, for who asks for the list. */
  #failure: {readonly error: unknown} | undefined;

  constructor(now: number) {
    this.#since = now - RECENT_MS;
  }

  /** Reads the times of the files in the background, while the search runs. */
  add(paths: readonly string[]): void {
    this.#waiting.push(paths);
    this.#looking ??= this.#look()
      .catch((error: unknown) => (this.#failure ??= {error}))
      .then(() => (this.#looking = undefined));
  }

  /**
   * Everything that was added and is still there. Throws what looking at it failed with, unless the system refused it
   * for one file.
   */
  async list(): Promise<Ordered> {
    await this.#looking;
    if (this.#failure) throw this.#failure.error;
    const recent = this.#recent
      .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
      .map(({path}) => path);
    return {paths: [...recent, ...this.#others.sort()], unreadable: this.#unreadable};
  }

  async #look(): Promise<void> {
    let started = performance.now();
    for (let paths = this.#waiting.shift(); paths; paths = this.#waiting.shift()) {
      for (const [index, path] of paths.entries()) {
        this.#place(path);
        if (index % STEP !== 0 || performance.now() - started < SLICE_MS) continue;
        await setImmediate();
        started = performance.now();
      }
    }
  }

  #place(path: string): void {
    // One after the other without waiting: for files that the system knows this costs a fifth of asking it in the
    // background.
    const changed = this.#changeOf(path);
    if (changed === undefined) return;
    if (changed >= this.#since) this.#recent.push({path, changed});
    else this.#others.push(path);
  }

  #changeOf(path: string): number | undefined {
    try {
      return lstatSync(systemPath(path), {throwIfNoEntry: false})?.mtimeMs;
    } catch (error) {
      if (judgeFailure(error) === 'unreadable') this.#unreadable.push(path);
      return undefined;
    }
  }
}
