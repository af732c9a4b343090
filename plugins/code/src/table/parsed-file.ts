import type {CodeSymbol, SymbolKind} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import {importedNames} from './imported-names.js';
import type {Readers} from '../parse/parsers.js';
import {readSymbols} from '../parse/read-symbols.js';
import {MOST_INDEXED_BYTES, readSource} from '../parse/source-file.js';
import type {NameTable} from './name-table.js';

/** Numbers of one symbol: name, kind, owner, then the offsets and lines of CodeSymbol. */
export const SYMBOL_INTS = 10;

export const KINDS: readonly SymbolKind[] = [
  ...(['class', 'constant', 'enum', 'function', 'heading', 'interface', 'key', 'macro'] as const),
  ...(['member', 'method', 'module', 'property', 'struct', 'type', 'variable'] as const),
];

/** One file as the index has it; names are numbers of a table. It passes between threads. */
export interface ParsedFile {
  readonly path: string;
  readonly stamp: string;
  /** Why it has no symbols. */
  readonly fault?: string;
  /** An array that has its numbers: several files can share one. */
  readonly ints: Int32Array;
  /** Where they begin, and how many they are. */
  readonly at: number;
  readonly length: number;
  /** The first are symbols, the next every name in the text in ascending order, the rest what it imports. */
  readonly symbolInts: number;
  readonly wordInts: number;
}

const WORD = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
/** More names than this stand in generated files only. */
const MOST_WORDS = 20_000;
const MOST_SYMBOLS = 20_000;
/** One file may not keep the others waiting. */
const INDEX_MS = 2000;

/** Reads one file for the index, whose names get numbers of `names`. Every fault of the file is an answer. */
export async function parseFile(path: string, readers: Readers, names: NameTable): Promise<ParsedFile> {
  const language = languageOf(path);
  const source = readSource(path, MOST_INDEXED_BYTES);
  const without = (fault: string): ParsedFile => fileWithout({path, stamp: source.stamp, fault});
  if ('fault' in source) return without(source.fault);
  if (!language) return without('is in no known language');
  const reader = await readers.get(language);
  const symbols = reader.read(source.text, (root) => readSymbols(root, reader, source.text), INDEX_MS);
  if (symbols === undefined) return without('takes too long to read');
  const ids = new Set<number>([0]);
  const idOf = (word: string): number => {
    const id = names.add(word);
    ids.add(id);
    return id;
  };
  const packed = packSymbols(symbols.slice(0, MOST_SYMBOLS), idOf);
  for (const [word] of source.text.matchAll(WORD)) if (ids.size < MOST_WORDS) idOf(word);
  const imports = new Set(importedNames(source.text, language).map(idOf));
  const ints = new Int32Array(packed.length + ids.size + imports.size);
  ints.set(packed);
  ints.set(Int32Array.from(ids).sort(), packed.length);
  ints.set([...imports], packed.length + ids.size);
  const counts = {length: ints.length, symbolInts: packed.length, wordInts: ids.size};
  return {path, stamp: source.stamp, ints, at: 0, ...counts};
}

/** A file that has no symbols, and why. */
export function fileWithout(file: Pick<ParsedFile, 'path' | 'stamp'> & {readonly fault: string}): ParsedFile {
  return {...file, ints: new Int32Array(0), at: 0, length: 0, symbolInts: 0, wordInts: 0};
}

/** The same files with their numbers in one array: one each takes more memory than what is in it. */
export function shareInts(files: readonly ParsedFile[]): readonly ParsedFile[] {
  const ints = new Int32Array(files.reduce((sum, {length}) => sum + length, 0));
  let next = 0;
  return files.map((file) => {
    const at = next;
    ints.set(intsOf(file), at);
    next += file.length;
    return {...file, ints, at};
  });
}

/** The numbers of a file alone. */
export function intsOf({ints, at, length}: ParsedFile): Int32Array {
  return ints.subarray(at, at + length);
}

/** Gives the names of a file the numbers of another table. */
export function renumber(file: ParsedFile, idOf: (id: number) => number): void {
  const {symbolInts, wordInts} = file;
  const ints = intsOf(file);
  for (let at = 0; at < symbolInts; at += SYMBOL_INTS)
    for (const place of [at, at + 2]) ints[place] = idOf(ints[place] ?? 0);
  for (let at = symbolInts; at < ints.length; at += 1) ints[at] = idOf(ints[at] ?? 0);
  ints.subarray(symbolInts, symbolInts + wordInts).sort();
}

function packSymbols(symbols: readonly CodeSymbol[], idOf: (word: string) => number): Int32Array {
  const packed = new Int32Array(symbols.length * SYMBOL_INTS);
  for (const [index, one] of symbols.entries()) {
    const offsets = [one.from, one.start, one.nameAt, one.body, one.end, one.line, one.endLine];
    packed.set([idOf(one.name), KINDS.indexOf(one.kind), idOf(one.owner ?? ''), ...offsets], index * SYMBOL_INTS);
  }
  return packed;
}
