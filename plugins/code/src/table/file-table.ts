import type {CodeSymbol} from '../contract.js';
import {NameTable} from './name-table.js';
import {KINDS, SYMBOL_INTS, type ParsedFile} from './parsed-file.js';

/** One file: its numbers are those of the table's names. */
export interface FileEntry {
  readonly path: string;
  readonly stamp: string;
  readonly fault?: string;
  readonly symbols: Int32Array;
  /** Every name that stands in it, in ascending order. */
  readonly words: Int32Array;
  /** Those of them that it imports. */
  readonly imports: Int32Array;
}

/** The symbols and names of files. */
export class FileTable {
  readonly names: NameTable;
  readonly files: Map<string, FileEntry>;

  constructor(names = new NameTable(), files: Iterable<FileEntry> = []) {
    this.names = names;
    this.files = new Map([...files].map((file) => [file.path, file]));
  }

  put({path, stamp, fault, words, symbols, imports}: ParsedFile): void {
    const ids = Int32Array.from(words, (word) => this.names.add(word));
    const own = symbols.slice();
    for (let at = 0; at < own.length; at += SYMBOL_INTS)
      for (const place of [at, at + 2]) own[place] = ids[own[place] ?? 0] ?? 0;
    const imported = imports.map((place) => ids[place] ?? 0);
    const rest = fault === undefined ? {} : {fault};
    this.files.set(path, {path, stamp, symbols: own, imports: imported, words: ids.sort(), ...rest});
  }

  /** The symbol that stands at this position of the numbers of a file. */
  symbol({symbols}: FileEntry, at: number): CodeSymbol {
    const int = (offset: number): number => symbols[at + offset] ?? 0;
    const owner = this.names.name(int(2));
    return {
      name: this.names.name(int(0)),
      kind: KINDS[int(1)] ?? 'variable',
      ...(owner === '' ? {} : {owner}),
      ...{from: int(3), start: int(4), nameAt: int(5), body: int(6), end: int(7), line: int(8), endLine: int(9)},
    };
  }

  /** All symbols of a file, in order. */
  symbols(file: FileEntry): readonly CodeSymbol[] {
    const all: CodeSymbol[] = [];
    for (let at = 0; at < file.symbols.length; at += SYMBOL_INTS) all.push(this.symbol(file, at));
    return all;
  }

  /** The numbers of their names. */
  *symbolNames({symbols}: FileEntry): Generator<number> {
    for (let at = 0; at < symbols.length; at += SYMBOL_INTS) yield symbols[at] ?? 0;
  }

  /** Files in which a name stands. */
  filesWith(name: string): readonly FileEntry[] {
    const id = this.names.find(name);
    return id === undefined ? [] : [...this.files.values()].filter(({words}) => hasInt(words, id));
  }

  /** Where the symbols with this name are, of those files. */
  *definitions(name: string): Generator<{readonly file: FileEntry; readonly symbol: CodeSymbol}> {
    const id = this.names.find(name);
    if (id === undefined) return;
    for (const file of this.files.values())
      for (let at = 0; at < file.symbols.length; at += SYMBOL_INTS)
        if (file.symbols[at] === id) yield {file, symbol: this.symbol(file, at)};
  }

  /** Bytes of its numbers and names. */
  get bytes(): number {
    let sum = 0;
    for (const {symbols, words, imports} of this.files.values())
      sum += symbols.byteLength + words.byteLength + imports.byteLength;
    return sum;
  }
}

/** Whether ascending numbers have one of them. */
function hasInt(sorted: Int32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0;
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
