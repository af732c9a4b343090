import {sep} from 'node:path';
import type {FoundPath} from '../contract.js';
import type {Place} from '../engine/engine.js';
import {comparePaths} from '../engine/path-order.js';
import {UnitBlocks, type PathUnits} from './unit-blocks.js';

const NOT_ASCII = /[^\0-\u007f]/;

/** Files, and the directories that they lie in, each once; holds at most `limit` of both together. */
export class PathList {
  /** Relative to their place and composed, with `/` between names and at the end of a directory. */
  readonly #units = new UnitBlocks();
  /** Those that are not composed, as they are. */
  readonly #asIs = new Map<number, string>();
  readonly #placeOf: number[] = [];
  readonly #starts: readonly string[];
  readonly #folders: readonly Set<string>[];
  /** Whether another place lies in this one. */
  readonly #isAround: readonly boolean[];
  #lastPlace = 0;
  #lastFolder = '';

  constructor(
    private readonly places: readonly Place[],
    private readonly limit: number,
  ) {
    this.#starts = places.map(({path}) => (path.endsWith(sep) ? path : path + sep));
    this.#folders = places.map(() => new Set());
    this.#isAround = this.#starts.map((start) =>
      this.#starts.some((other) => other !== start && other.startsWith(start)),
    );
  }

  get count(): number {
    return this.#placeOf.length;
  }

  get isFull(): boolean {
    return this.count >= this.limit;
  }

  /** Takes absolute paths of files in, as far as there is room. */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      const place = this.#placeHolding(path);
      const start = this.#starts[place];
      if (start === undefined) continue;
      const text = path.slice(start.length);
      const relative = sep === '/' ? text : text.replaceAll(sep, '/');
      this.#addFolders(relative, place);
      this.#push(relative, place);
    }
  }

  /** The path as it is compared. */
  units(index: number): PathUnits {
    return this.#units.at(index);
  }

  /** Whether the path has all the letters of a text, in whatever order. */
  hasLetters(index: number, mask: number): boolean {
    return (this.#units.mask(index) & mask) === mask;
  }

  isDirectory(index: number): boolean {
    return this.#units.endsWith(index, '/');
  }

  found(index: number): FoundPath {
    const place = this.#placeOf[index] ?? 0;
    const text = this.#text(index);
    const isDirectory = text.endsWith(sep);
    return {
      path: (this.#starts[place] ?? '') + (isDirectory ? text.slice(0, -1) : text),
      root: this.places[place]?.root ?? '',
      isDirectory,
    };
  }

  compare(a: number, b: number): number {
    const [left, right] = [this.#placeOf[a] ?? 0, this.#placeOf[b] ?? 0];
    if (left !== right) return comparePaths(this.#starts[left] ?? '', this.#starts[right] ?? '');
    return comparePaths(this.#text(a), this.#text(b));
  }

  #relative(index: number): string {
    return this.#asIs.get(index) ?? this.#units.text(index);
  }

  /** As the system writes it. */
  #text(index: number): string {
    const text = this.#relative(index);
    return sep === '/' ? text : text.replaceAll('/', sep);
  }

  /** The innermost, if there are several. */
  #placeHolding(path: string): number {
    const last = this.#starts[this.#lastPlace];
    if (last !== undefined && this.#isAround[this.#lastPlace] === false && path.startsWith(last))
      return this.#lastPlace;
    let place = -1;
    this.#starts.forEach((start, index) => {
      if (path.startsWith(start) && start.length > (this.#starts[place]?.length ?? -1)) place = index;
    });
    if (place !== this.#lastPlace) [this.#lastPlace, this.#lastFolder] = [place, ''];
    return place;
  }

  #addFolders(text: string, place: number): void {
    const cut = text.lastIndexOf('/') + 1;
    if (cut === this.#lastFolder.length && text.startsWith(this.#lastFolder)) return;
    const folder = text.slice(0, cut);
    this.#lastFolder = folder;
    const known = this.#folders[place];
    for (
      let one = folder;
      one !== '' && known?.has(one) === false;
      one = one.slice(0, one.lastIndexOf('/', one.length - 2) + 1)
    ) {
      this.#push(one, place);
      // Not `one` itself, which is a part of a much longer string and would keep all of it in memory.
      if (!this.isFull) known.add(this.#relative(this.count - 1));
    }
  }

  #push(text: string, place: number): void {
    if (this.isFull) return;
    const composed = NOT_ASCII.test(text) ? text.normalize('NFC') : text;
    if (composed !== text) this.#asIs.set(this.count, text);
    this.#units.push(composed);
    this.#placeOf.push(place);
  }
}
