import {RESERVED} from './read-compound.js';
import {plainWord} from './source.js';
import type {ShellWord} from './syntax.js';

const PLAIN = /^[ \t]*[\w./][\w./:-]*(?:[ \t]+[\w./:@%+,-][\w./:@%+,=-]*)*[ \t]*$/;

/** Behind these, words are not read as elsewhere. */
const DECLARING = /^(?:declare|typeset|local|export|readonly|unset|unsetenv|time)$/;

/**
 * The words of a line that is one command of plain words, which reads the same in every shell; undefined for any other.
 */
export function splitPlainLine(line: string): readonly ShellWord[] | undefined {
  if (line.length > 4_096 || !PLAIN.test(line)) return undefined;
  const words = line.trim().split(/[ \t]+/);
  const [first = ''] = words;
  if (RESERVED.has(first) || DECLARING.test(first)) return undefined;
  return words.map((word) => plainWord(word));
}
