import {readBackticks, readDollar} from './read-expansion.js';
import {fail, newDraft, peek, startsWith, type Draft, type Source} from './source.js';
import type {NestedScript} from './syntax.js';

const OPERATORS = /[\w\s+*/%<>=!&|^~?:,()#[\]-]/;

/** Reads an arithmetic expression and what closes it, outside all parentheses. */
export function readArithmetic(source: Source, scripts: NestedScript[], close: string): void {
  const start = source.at;
  const parts = newDraft();
  let open = 0;
  while (open > 0 || !startsWith(source, close)) open += readPiece(source, parts, open);
  const text = source.text.slice(start, source.at);
  source.at += close.length;
  scripts.push(...parts.scripts);
  const names = text.match(/[A-Za-z_]\w*/g) ?? [];
  // What stands next to an expansion makes a name with it.
  const isOpen = parts.isOpen || /[A-Za-z_]\w*[$`]|\$\w+[$`]|[}`)]\w|\}[$`]/.test(text);
  if (names.length > 0 || parts.scripts.length > 0 || isOpen)
    source.arithmetic.push({text, names, isOpen, scripts: parts.scripts});
}

/** Reads an expansion or one character, and says how many more parentheses are open behind it. */
function readPiece(source: Source, parts: Draft, open: number): number {
  const character = peek(source);
  if (character === '$') readDollar(source, parts, true);
  else if (character === '`') readBackticks(source, parts, true);
  else if (character === '' || (character === ')' && open === 0) || !OPERATORS.test(character))
    fail(source, 'An arithmetic expression is not read.');
  else {
    source.at += 1;
    if ('(['.includes(character)) return 1;
    if (')]'.includes(character)) return -1;
  }
  return 0;
}
