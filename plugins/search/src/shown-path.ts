import {encodeBytes} from './engine/bytes.js';

/**
 * A path for display: on one line, and in quotes, as git writes them, when a name has control characters or bytes
 * that are no UTF-8.
 */
export function shownPath(path: string): string {
  if (!/[\0-\x1f\x7f\ud800-\udfff]/u.test(path)) return path;
  const known: Readonly<Record<string, string>> = {'\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\'};
  const letters = [...path].map(
    (letter) => known[letter] ?? (/^[\0-\x1f\x7f\ud800-\udfff]$/u.test(letter) ? octal(letter) : letter),
  );
  return `"${letters.join('')}"`;
}

function octal(letter: string): string {
  return [...encodeBytes(letter)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
