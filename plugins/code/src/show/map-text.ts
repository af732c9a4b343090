import type {RankedFile} from '../contract.js';
import {signatureOf} from '../parse/signature.js';
import {readSource} from '../parse/source-file.js';
import {Budget} from './budget.js';
import {visibleSymbols} from './outline-text.js';

/** So many symbols of one file, at most: a map shows many files. */
const MOST_OF_FILE = 12;

export interface MapShown {
  readonly text: string;
  /** Paths of the files that are in it. */
  readonly files: readonly string[];
  readonly leftOut: number;
}

/** Files and their most used symbols, those that are used most first, within a number of tokens. */
export function mapText(
  ranked: readonly RankedFile[],
  {tokens, shownPath}: {readonly tokens: number; readonly shownPath: (path: string) => string},
): MapShown {
  const budget = new Budget(tokens);
  const parts: string[] = [];
  const files: string[] = [];
  for (const file of ranked) {
    const lines = fileLines(file);
    const head = `${shownPath(file.path)}:`;
    if (lines.length === 0) continue;
    if (!budget.take(head)) break;
    const shown = lines.filter((line) => budget.take(line));
    if (shown.length === 0) break;
    parts.push(head, ...shown);
    files.push(file.path);
  }
  return {text: parts.join('\n'), files, leftOut: ranked.length - files.length};
}

/** The symbols that are used most, in the order of the file. */
function fileLines({path, symbols}: RankedFile): readonly string[] {
  const source = readSource(path);
  if ('fault' in source) return [];
  const scores = new Map(symbols.map(({symbol, score}) => [symbol, score]));
  const levels = visibleSymbols(symbols.map(({symbol}) => symbol)).filter(({depth}) => depth < 2);
  const best = [...levels]
    .sort((a, b) => (scores.get(b.symbol) ?? 0) - (scores.get(a.symbol) ?? 0) || a.symbol.start - b.symbol.start)
    .slice(0, MOST_OF_FILE);
  return levels
    .filter((level) => best.includes(level))
    .map(({symbol, depth}) => `${'  '.repeat(depth + 1)}${symbol.line}: ${signatureOf(source.text, symbol)}`);
}
