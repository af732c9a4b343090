import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';

const EVERY_MS = 1000;
/** Looking takes at most this part of the time. */
const SHARE = 1 / 20;
/** A block of what `stat` counts. */
const BLOCK = 512;

/** Looks now and then whether a folder has become larger than a task may make it. */
export class DiskWatch {
  readonly #ending = new AbortController();
  readonly #full = new AbortController();
  readonly #watched: Promise<void>;

  constructor(
    private readonly folder: string,
    private readonly most: number,
  ) {
    this.#watched = this.#watch();
  }

  /** Aborted when it is larger. */
  get signal(): AbortSignal {
    return this.#full.signal;
  }

  /** Ends it, and says whether the folder was seen to be larger. */
  async close(): Promise<boolean> {
    this.#ending.abort();
    await this.#watched;
    return this.#full.signal.aborted;
  }

  async #watch(): Promise<void> {
    const {signal} = this.#ending;
    for (let took = 0; !signal.aborted && !this.#full.signal.aborted;) {
      await setTimeout(Math.max(EVERY_MS, took / SHARE), undefined, {signal}).catch(() => undefined);
      const began = performance.now();
      if (!signal.aborted && (await isLarger(this.folder, this.most))) this.#full.abort();
      took = performance.now() - began;
    }
  }
}

async function isLarger(folder: string, most: number): Promise<boolean> {
  let sum = 0;
  for await (const bytes of sizesBelow(folder)) {
    sum += bytes;
    if (sum > most) return true;
  }
  return false;
}

/** Bytes on the disk, a file after the other. What is removed meanwhile, or may not be read, counts nothing. */
async function* sizesBelow(folder: string): AsyncIterable<number> {
  for (const entry of await readdir(folder, {withFileTypes: true}).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sizesBelow(path);
    else yield ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * BLOCK;
  }
}
