import type {Place} from '../engine/engine.js';
import {PathList} from './path-list.js';
import {SLICE_PATHS, Slices} from './slices.js';

/** Lists the files below places; rejects with the reason of the signal. */
export type ListFiles = (
  places: readonly Place[],
  signal: AbortSignal,
  onPaths: (paths: readonly string[]) => void,
) => Promise<void>;

/** A list of all files, which several searches can share while it is being made and afterwards. */
export class Listing {
  readonly paths: PathList;
  /** Settled when there is nothing more to come. */
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();
  readonly #full = new AbortController();
  readonly #slices = new Slices();
  #taken = Promise.resolve();
  #endedAt: number | undefined;
  #isOver = false;
  #waiting = 0;
  #onMore: () => void = () => undefined;
  #more: Promise<void>;

  constructor(
    readonly places: readonly Place[],
    {limit, list, now}: {readonly limit: number; readonly list: ListFiles; now(): number},
  ) {
    this.paths = new PathList(places, limit);
    this.#more = this.#nextMore();
    this.ended = this.#run(list).then(
      () => {
        this.#endedAt = now();
      },
      (error: unknown) => {
        this.#isOver = true;
        throw error;
      },
    );
    // Those who wait for it receive a failure; without them it does not matter.
    this.ended.catch(() => undefined);
  }

  /** When it was complete, if it is. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** Whether it failed or was given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  isOf(places: readonly Place[]): boolean {
    return (
      places.length === this.places.length &&
      places.every(({path, root}, index) => path === this.places[index]?.path && root === this.places[index].root)
    );
  }

  /** Keeps it running until the returned function is called. A listing without holders is cancelled. */
  hold(): () => void {
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
      // A search that starts right after another was cancelled finds the listing still running.
      setImmediate(() => {
        if (this.#waiting === 0) this.stop();
      });
    };
  }

  stop(): void {
    if (this.#endedAt !== undefined) return;
    this.#isOver = true;
    this.#stop.abort(new Error('No search waits for the list of files.'));
  }

  /** Waits until there are more than so many paths, or all. Rejects when listing fails. */
  async grown(beyond: number): Promise<void> {
    if (this.paths.count <= beyond) await Promise.race([this.ended, this.#more]);
  }

  async #run(list: ListFiles): Promise<void> {
    try {
      await list(this.places, AbortSignal.any([this.#stop.signal, this.#full.signal]), (paths) => {
        this.#taken = this.#taken.then(() => this.#take(paths));
        // The failure is handled once all waiting searches have the paths.
        this.#taken.catch(() => undefined);
      });
    } catch (error) {
      if (!this.paths.isFull) throw error;
    }
    await this.#taken;
  }

  /** A slice at a time: many paths can arrive at once. */
  async #take(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += SLICE_PATHS) {
      this.paths.add(paths.slice(from, from + SLICE_PATHS));
      this.#onMore();
      this.#more = this.#nextMore();
      await this.#slices.pass(this.#stop.signal);
    }
    if (this.paths.isFull) this.#full.abort(new Error('There are more files than are kept in memory.'));
  }

  #nextMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#onMore = resolve;
    });
  }
}
