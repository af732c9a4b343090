import type {CodeSymbol} from '../contract.js';
import {NameTable} from './name-table.js';
import {FileEntry} from './file-entry.js';
import {KINDS, SYMBOL_INTS, type ParsedFile} from './parsed-file.js';

/** The symbols and names of files. */
export class FileTable {
  readonly names: NameTable;
  readonly files: Map<string, FileEntry>;

  constructor(names = new NameTable(), files: Iterable<FileEntry> = []) {
    this.names = names;
    this.files = new Map([...files].map((file) => [file.path, file]));
  }

  /** Takes a file whose names have the numbers of this table. */
  put(file: ParsedFile): void {
    this.files.set(file.path, new FileEntry(file));
  }

  /** The symbol that stands at this position of the numbers of a file. */
  symbol(symbols: Int32Array, at: number): CodeSymbol {
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
  symbols({symbols}: FileEntry): readonly CodeSymbol[] {
    const all: CodeSymbol[] = [];
    for (let at = 0; at < symbols.length; at += SYMBOL_INTS) all.push(this.symbol(symbols, at));
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
    for (const file of this.files.values()) {
      const {symbols} = file;
      for (let at = 0; at < symbols.length; at += SYMBOL_INTS)
        if (symbols[at] === id) yield {file, symbol: this.symbol(symbols, at)};
    }
  }

  /** Bytes of its numbers and names. */
  get bytes(): number {
    let sum = 0;
    for (const {length} of this.files.values()) sum += length;
    return sum * Int32Array.BYTES_PER_ELEMENT;
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
