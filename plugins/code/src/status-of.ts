import type {CodeStatus} from './contract.js';
import {languageOf} from './languages/languages.js';
import type {Updated} from './table/code-index.js';
import {SYMBOL_INTS} from './table/parsed-file.js';

/** What an index has. */
export function statusOf({table, ms, parsed}: Updated, file: string): CodeStatus {
  const counts = new Map<string, number>();
  const leftOut: CodeStatus['leftOut'][number][] = [];
  let symbols = 0;
  for (const {path, fault, symbols: own} of table.files.values()) {
    symbols += own.length / SYMBOL_INTS;
    if (fault !== undefined) leftOut.push({path, reason: fault});
    const {name} = languageOf(path) ?? {name: 'unknown'};
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const languages = [...counts].map(([name, files]) => ({name, files})).sort((a, b) => b.files - a.files);
  return {files: table.files.size, symbols, languages, leftOut, file, bytes: table.bytes, ms: Math.round(ms), parsed};
}
