import {ToolError} from '@gemini-kernel/kernel';

/** Where a pattern came from. */
export interface GivenPattern {
  readonly text: string;
  /** The name of the parameter that it was given as. */
  readonly parameter: string;
}

/** What is wrong with a pattern, and where; `at` is an index of the text. */
export interface Fault {
  readonly what: string;
  readonly at: number;
  readonly hint: string;
}

const LONGEST_SHOWN = 60;

/** The error of a pattern that cannot be used. */
export function patternFault({text, parameter}: GivenPattern, {what, at, hint}: Fault, cause?: unknown): ToolError {
  const position = [...text.slice(0, at)].length + 1;
  const sentence = `The ${parameter} "${around(text, at)}" cannot be read: ${what} at character ${String(position)}.`;
  return new ToolError('PATTERN_INVALID', sentence, {hint, cause, data: {parameter, position}});
}

/** The hint for a character that may have been meant as itself. */
export function escapeHint({text, parameter}: GivenPattern, at: number): string {
  const character = text[at] ?? '';
  const first = /[\\()[\]{}*+?.^$|]/.test(character)
    ? `Escape it as \\${character} to find the character itself`
    : 'Correct it';
  return parameter === 'pattern' ? `${first}, or set fixed_strings.` : `${first}.`;
}

/** What shows is one line, and short. */
function around(text: string, at: number): string {
  const letters = [...text.slice(0, at)];
  const start = letters.length + 10 > LONGEST_SHOWN ? letters.length - LONGEST_SHOWN / 2 : 0;
  const all = [...text];
  const shown = all
    .slice(start, start + LONGEST_SHOWN)
    .join('')
    .replace(/[\0-\x1f\x7f\ud800-\udfff]/gu, (character) => `\\x{${character.codePointAt(0)?.toString(16) ?? ''}}`);
  return `${start > 0 ? '...' : ''}${shown}${start + LONGEST_SHOWN < all.length ? '...' : ''}`;
}
