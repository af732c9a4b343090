import type {ParsedFile} from './parsed-file.js';

/** One file of the table, whose names have the numbers of the table. */
export class FileEntry implements ParsedFile {
  readonly path: string;
  readonly stamp: string;
  /** Why it has no symbols. */
  declare readonly fault?: string;
  readonly ints: Int32Array;
  readonly at: number;
  readonly length: number;
  readonly symbolInts: number;
  readonly wordInts: number;

  constructor({path, stamp, fault, ints, at, length, symbolInts, wordInts}: ParsedFile) {
    this.path = path;
    this.stamp = stamp;
    if (fault !== undefined) this.fault = fault;
    this.ints = ints;
    this.at = at;
    this.length = length;
    this.symbolInts = symbolInts;
    this.wordInts = wordInts;
  }

  get symbols(): Int32Array {
    return this.#part(0, this.symbolInts);
  }

  /** Every name that stands in it, in ascending order. */
  get words(): Int32Array {
    return this.#part(this.symbolInts, this.symbolInts + this.wordInts);
  }

  /** Those of them that it imports. */
  get imports(): Int32Array {
    return this.#part(this.symbolInts + this.wordInts, this.length);
  }

  #part(from: number, to: number): Int32Array {
    return this.ints.subarray(this.at + from, this.at + to);
  }
}
