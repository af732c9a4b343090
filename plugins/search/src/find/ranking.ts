import type {FoundPath} from '../contract.js';
import type {PathList} from './path-list.js';
import type {PathQuery} from './score-path.js';
import {SLICE_PATHS, Slices} from './slices.js';

interface Wanted {
  readonly most: number;
  readonly kind: 'file' | 'directory' | 'any';
}

interface Hit {
  readonly index: number;
  readonly score: number;
}

/** So many more than are wanted are gathered before they are sorted. */
const ROOM = 256;

/** The paths of a list that fit best, found a slice at a time while the list may still grow. */
export class Ranking {
  /** Indexes of all that fit, whatever their kind. */
  readonly fitting: number[] = [];
  #next = 0;
  #best: Hit[] = [];
  #isCut = false;
  #shown: readonly number[] = [];

  /** Looks only at the indexes `among`, if they are given. */
  constructor(
    private readonly paths: PathList,
    private readonly query: PathQuery,
    private readonly wanted: Wanted,
    private readonly among?: readonly number[],
  ) {}

  /** How far it has come in the list. */
  get seen(): number {
    return this.#next;
  }

  /** Looks at all that there are by now. Others get their turn in between; rejects with the reason of the signal. */
  async advance(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const slices = new Slices();
    while (this.#next < this.#total) {
      const end = Math.min(this.#total, this.#next + SLICE_PATHS);
      for (; this.#next < end; this.#next += 1) this.#look(this.among?.[this.#next] ?? this.#next);
      await slices.pass(signal);
    }
  }

  /** The best so far, the very best first. */
  best(): readonly FoundPath[] {
    this.#cut();
    return this.#best.map(({index}) => this.paths.found(index));
  }

  /** The same, if it is not what this gave the last time. */
  news(): readonly FoundPath[] | undefined {
    this.#cut();
    if (this.#best.length === this.#shown.length && this.#best.every(({index}, at) => index === this.#shown[at]))
      return undefined;
    this.#shown = this.#best.map(({index}) => index);
    return this.best();
  }

  get #total(): number {
    return this.among?.length ?? this.paths.count;
  }

  #look(index: number): void {
    if (!this.paths.hasLetters(index, this.query.mask)) return;
    const score = this.query.score(this.paths.units(index));
    if (score === undefined) return;
    this.fitting.push(index);
    const {kind, most} = this.wanted;
    if (kind !== 'any' && (kind === 'directory') !== this.paths.isDirectory(index)) return;
    const hit = {index, score};
    const worst = this.#isCut ? this.#best[most - 1] : undefined;
    if (worst && this.#compare(hit, worst) > 0) return;
    this.#best.push(hit);
    if (this.#best.length >= most + ROOM) this.#cut();
  }

  #cut(): void {
    const {most} = this.wanted;
    this.#best.sort((a, b) => this.#compare(a, b));
    this.#isCut = this.#best.length >= most;
    this.#best.length = Math.min(most, this.#best.length);
  }

  #compare(a: Hit, b: Hit): number {
    return b.score - a.score || this.paths.compare(a.index, b.index);
  }
}
