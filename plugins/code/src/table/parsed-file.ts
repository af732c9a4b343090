import type {CodeSymbol, SymbolKind} from '../contract.js';
import {languageOf} from '../languages/languages.js';
import {importedNames} from './imported-names.js';
import type {Readers} from '../parse/parsers.js';
import {readSymbols} from '../parse/read-symbols.js';
import {MOST_INDEXED_BYTES, readSource} from '../parse/source-file.js';

/** Numbers of one symbol: name, kind, owner, then the offsets and lines of CodeSymbol. */
export const SYMBOL_INTS = 10;

export const KINDS: readonly SymbolKind[] = [
  ...(['class', 'constant', 'enum', 'function', 'heading', 'interface', 'key', 'macro'] as const),
  ...(['member', 'method', 'module', 'property', 'struct', 'type', 'variable'] as const),
];

/** One file as the index has it; names are positions in `words`, whose first is empty. It passes between threads. */
export interface ParsedFile {
  readonly path: string;
  readonly stamp: string;
  /** Why it has no symbols. */
  readonly fault?: string;
  /** Every name that stands in the text. */
  readonly words: readonly string[];
  readonly symbols: Int32Array;
  /** Positions in `words` of the names that it imports. */
  readonly imports: Int32Array;
}

const WORD = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
/** More names than this stand in generated files only. */
const MOST_WORDS = 20_000;
const MOST_SYMBOLS = 20_000;
/** One file may not keep the others waiting. */
const INDEX_MS = 2000;

/** Reads one file for the index. Every fault of the file is an answer. */
export async function parseFile(path: string, readers: Readers): Promise<ParsedFile> {
  const language = languageOf(path);
  const source = readSource(path, MOST_INDEXED_BYTES);
  const without = (fault: string): ParsedFile => ({
    path,
    stamp: source.stamp,
    fault,
    words: [''],
    symbols: new Int32Array(0),
    imports: new Int32Array(0),
  });
  if ('fault' in source) return without(source.fault);
  if (!language) return without('is in no known language');
  const reader = await readers.get(language);
  const symbols = reader.read(source.text, (root) => readSymbols(root, reader, source.text), INDEX_MS);
  if (symbols === undefined) return without('takes too long to read');
  const ids = new Map<string, number>([['', 0]]);
  const idOf = (word: string): number => {
    const known = ids.get(word);
    if (known !== undefined) return known;
    ids.set(word, ids.size);
    return ids.size - 1;
  };
  const packed = packSymbols(symbols.slice(0, MOST_SYMBOLS), idOf);
  for (const [word] of source.text.matchAll(WORD)) if (ids.size < MOST_WORDS) idOf(word);
  const imports = Int32Array.from(new Set(importedNames(source.text, language).map(idOf)));
  return {path, stamp: source.stamp, words: [...ids.keys()], symbols: packed, imports};
}

function packSymbols(symbols: readonly CodeSymbol[], idOf: (word: string) => number): Int32Array {
  const packed = new Int32Array(symbols.length * SYMBOL_INTS);
  for (const [index, one] of symbols.entries()) {
    const offsets = [one.from, one.start, one.nameAt, one.body, one.end, one.line, one.endLine];
    packed.set([idOf(one.name), KINDS.indexOf(one.kind), idOf(one.owner ?? ''), ...offsets], index * SYMBOL_INTS);
  }
  return packed;
}
