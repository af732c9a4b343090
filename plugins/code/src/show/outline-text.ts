import type {CodeSymbol, Outline, SymbolKind} from '../contract.js';
import {signatureOf} from '../parse/signature.js';
import {Budget} from './budget.js';

/** What they have inside is theirs. */
const CLOSED: readonly SymbolKind[] = ['constant', 'function', 'macro', 'method', 'property', 'variable'];

export interface Level {
  readonly symbol: CodeSymbol;
  /** How many symbols are around it. */
  readonly depth: number;
}

/** The symbols that others can name: none inside functions. */
export function visibleSymbols(symbols: readonly CodeSymbol[]): readonly Level[] {
  const around: CodeSymbol[] = [];
  return symbols.flatMap((symbol) => {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= symbol.start) around.pop();
    const isHidden = around.some(({kind}) => CLOSED.includes(kind));
    const depth = around.length;
    around.push(symbol);
    return isHidden ? [] : [{symbol, depth}];
  });
}

/** One line for each symbol of a file, within a number of tokens: the outer ones first. */
export function outlineText({text, symbols}: Pick<Outline, 'text' | 'symbols'>, tokens: number): Shown {
  const levels = visibleSymbols(symbols);
  const lines = levels.map(({symbol, depth}) => ({depth, line: symbolLine(text, symbol, depth)}));
  const budget = new Budget(tokens);
  const kept = new Set<number>();
  const deepest = Math.max(0, ...lines.map(({depth}) => depth));
  for (let level = 0; level <= deepest; level += 1)
    for (const [index, {depth, line}] of lines.entries()) if (depth === level && budget.take(line)) kept.add(index);
  return {
    text: lines.flatMap(({line}, index) => (kept.has(index) ? [line] : [])).join('\n'),
    shown: kept.size,
    leftOut: lines.length - kept.size,
  };
}

/** What is shown of something, and how much is not. */
export interface Shown {
  readonly text: string;
  readonly shown: number;
  readonly leftOut: number;
}

/** Lines, and the symbol without its body. */
export function symbolLine(text: string, symbol: CodeSymbol, depth: number): string {
  const {line, endLine, kind} = symbol;
  const signature = signatureOf(text, symbol);
  const shown = signature.includes(symbol.name) ? signature : `${kind} ${symbol.name}`;
  return `${'  '.repeat(depth)}${line}${endLine > line ? `-${endLine}` : ''}: ${shown}`;
}
