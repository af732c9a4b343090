import {indentAs, type Edit, type Search} from './edit.js';

const DELIMITERS = /([():[\]{}<>=])/;
const WORD = /[\p{L}\p{N}_$]/u;

/** Finds the searched tokens from the start of a line, with any white space between them. */
export function regex({text, old, replacement}: Search): readonly Edit[] {
  const pattern = patternOf(old);
  if (pattern === undefined) return [];
  // The tokens end before the line end that closes the search, so the replacement must, too.
  const open = old.endsWith('\n') ? replacement.replace(/\n$/, '') : replacement;
  return Array.from(text.matchAll(pattern), ({index, 0: found, 1: indentation = ''}) => ({
    start: index,
    end: index + found.length,
    text: indentAs({old, replacement: open, indentation}),
  }));
}

function patternOf(old: string): RegExp | undefined {
  const tokens = old
    .split(DELIMITERS)
    .flatMap((piece) => piece.split(/\s+/))
    .filter((token) => token !== '');
  if (tokens.length === 0) return undefined;
  const source = tokens.map((token, index) => gapBefore(tokens[index - 1], token) + escapePattern(token)).join('');
  return new RegExp(`^([ \\t]*)${source}`, 'gmu');
}

/** Two words stay separate; elsewhere white space may differ. */
function gapBefore(previous: string | undefined, token: string): string {
  if (previous === undefined) return '';
  return WORD.test(previous.slice(-1)) && WORD.test(token.slice(0, 1)) ? '\\s+' : '\\s*';
}

function escapePattern(token: string): string {
  return token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
