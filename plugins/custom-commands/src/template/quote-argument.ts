import type {ShellKind, ShellPiece} from '../contract.js';

type Quotes = Extract<ShellPiece, {kind: 'arguments'}>['quotes'];

/** The text of arguments for a shell line, between the quotes that the template has there. */
export const quoteArgument: Readonly<Record<ShellKind, (text: string, quotes: Quotes) => string>> = {
  bash(text, quotes) {
    if (text === '') return '';
    const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
    if (quotes === 'none') return quoted;
    return quotes === 'single' ? quoted.slice(1, -1) : `"${quoted}"`;
  },
  powershell(text, quotes) {
    if (text === '') return '';
    // Typographic quotes count as quotes.
    if (quotes === 'double') return text.replace(/[`$"\u201C-\u201E]/g, '`$&');
    const doubled = text.replace(/['\u2018-\u201B]/g, '$&$&');
    return quotes === 'none' ? `'${doubled}'` : doubled;
  },
};
