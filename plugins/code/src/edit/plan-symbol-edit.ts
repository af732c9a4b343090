import type {OneSymbol} from '../find-one.js';
import type {TextEdit} from './text-edit.js';

export type SymbolAction = 'replace' | 'insert_before' | 'insert_after';

/** What an act on a symbol does to its file. */
export function planSymbolEdit({outline, symbol}: OneSymbol, action: SymbolAction, given: string): TextEdit {
  const {text} = outline;
  const start = startOf(text, symbol.from);
  const indent = /^[ \t]*/.exec(text.slice(lineStart(text, symbol.from)))?.[0] ?? '';
  const added = indented(given.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, ''), indent);
  if (action === 'replace') return {start, end: symbol.end, text: start < symbol.from ? added : added.trimStart()};
  const gap = symbol.endLine > symbol.line || added.includes('\n') ? '\n\n' : '\n';
  if (action === 'insert_before')
    return {start, end: start, text: `${added}${gap}${start < symbol.from ? '' : indent}`};
  const end = endOf(text, symbol.end);
  return {start: end, end, text: `${gap}${added}`};
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The start of the line, when nothing but white space is before the symbol. */
function startOf(text: string, from: number): number {
  const start = lineStart(text, from);
  return /^[ \t]*$/.test(text.slice(start, from)) ? start : from;
}

/** The end of the line, when nothing but what ends the symbol, or a comment, is behind it. */
function endOf(text: string, end: number): number {
  const rest = /^[;,]?[ \t]*(?:\/\/[^\n]*|#[^\n]*)?(?=\r?\n|$)/.exec(text.slice(end, end + 1000));
  return end + (rest?.[0].replace(/\r$/, '').length ?? 0);
}

/** A text that begins at the left is moved to where the symbol begins. */
function indented(text: string, indent: string): string {
  if (indent === '' || /^[ \t]/.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : indent + line))
    .join('\n');
}
