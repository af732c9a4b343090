import type {FileMatches, MatchRequest} from './engine.js';
import {comparePaths} from './path-order.js';

/** Keeps the first lines in path order of files that come in any order, and no more than are wanted. */
export class Collector {
  readonly #request: Pick<MatchRequest, 'most' | 'accept'>;
  /** In path order. */
  #files: FileMatches[] = [];
  #lines = 0;
  #isLimited = false;

  constructor(request: Pick<MatchRequest, 'most' | 'accept'>) {
    this.#request = request;
  }

  /** Whether there were more lines than are wanted; what comes in path order can stop here. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  get files(): readonly FileMatches[] {
    return this.#files;
  }

  /** Paths that could not be read, in order. When there was enough, none: how much was looked at is chance then. */
  met(unreadable: readonly string[]): readonly string[] {
    return this.#isLimited ? [] : [...new Set(unreadable)].sort(comparePaths);
  }

  async add(found: readonly FileMatches[]): Promise<void> {
    const last = this.#files.at(-1);
    // Once there is enough, only what comes before the last one changes anything.
    const wanted = this.#isLimited && last ? found.filter(({path}) => comparePaths(path, last.path) < 0) : found;
    if (wanted.length === 0) return;
    for (const file of await this.#request.accept(wanted)) this.#insert(file);
    this.#trim();
  }

  #insert(file: FileMatches): void {
    let index = this.#files.length;
    let low = 0;
    while (low < index) {
      const middle = (low + index) >> 1;
      const other = this.#files[middle];
      if (other && comparePaths(other.path, file.path) < 0) low = middle + 1;
      else index = middle;
    }
    this.#files.splice(index, 0, file);
    this.#lines += file.lines.length;
  }

  #trim(): void {
    let last = this.#files.at(-1);
    while (last && this.#lines > this.#request.most) {
      this.#isLimited = true;
      this.#files.pop();
      const kept = last.lines.slice(0, Math.max(0, last.lines.length - (this.#lines - this.#request.most)));
      this.#lines -= last.lines.length - kept.length;
      if (kept.length > 0) this.#files.push({...last, lines: kept});
      last = this.#files.at(-1);
    }
  }
}
