import {messageOf} from '@gemini-kernel/kernel';
import {readRegexTree, type RegexItem, type RegexSequence} from './regex-tree.js';

/** Longer ones are refused, as by the programs whose rule files we read. */
export const LONGEST_PATTERN = 2048;
/** From here on a bounded repetition is as bad as an endless one. */
const MANY = 10;

/** Why a regular expression cannot be used in a rule, to be read after "the regular expression", or undefined. */
export function findRegexFault(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  try {
    new RegExp(pattern);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `is not valid (${messageOf(error).split(': ').at(-1) ?? ''})`;
  }
  return findExplosion(readRegexTree(pattern));
}

/**
 * The repetitions that can start anywhere or overlap: with `d` of them, a text of `n` characters takes at most about
 * n^d steps.
 */
export function degreeOf(options: readonly RegexSequence[]): number {
  const degrees = options.map((items) =>
    items.reduce((sum, item) => sum + (item.max > MANY ? 1 : 0) + degreeOf(item.options), 0),
  );
  return Math.max(0, ...degrees);
}

/** Whether no text can ever match, because something must stand before the beginning or after the end. */
export function matchesNothing(pattern: string): boolean {
  return readRegexTree(pattern).every((items) => {
    const needs = items.map((item) => item.kind === 'set' && item.min > 0);
    return items.some(
      ({source, min}, index) =>
        min > 0 &&
        ((source === '^' && needs.slice(0, index).includes(true)) ||
          (source === '$' && needs.slice(index + 1).includes(true))),
    );
  });
}

// What takes exponential time: the same characters can be shared out between rounds of a repetition in many ways.
function findExplosion(options: readonly RegexSequence[]): string | undefined {
  for (const item of options.flat()) {
    const fault = explosionOf(item) ?? findExplosion(item.options);
    if (fault) return fault;
  }
  return undefined;
}

function explosionOf({max, options}: RegexItem): string | undefined {
  if (options.length === 0 || max <= 1) return undefined;
  if (hasItem(options, (item) => (max > MANY ? item.min !== item.max : item.max === Infinity)))
    return 'repeats a group in which something is repeated, which can take forever';
  return max > MANY && beginAlike(options)
    ? 'repeats a group whose alternatives can begin with the same character, which can take forever'
    : undefined;
}

function hasItem(options: readonly RegexSequence[], test: (item: RegexItem) => boolean): boolean {
  return options.flat().some((item) => test(item) || hasItem(item.options, test));
}

function beginAlike(options: readonly RegexSequence[]): boolean {
  const seen = new Set<number>();
  for (const option of options) {
    const starts = startsOf(option);
    if (!starts || starts.some((code) => seen.has(code))) return options.length > 1;
    for (const code of starts) seen.add(code);
  }
  return options.flat().some((item) => item.options.length > 1 && beginAlike(item.options));
}

/**
 * The characters (ASCII, and one for all others) that a sequence can begin with; undefined when that is unknown.
 */
function startsOf(items: RegexSequence): readonly number[] | undefined {
  const [first] = items;
  if (!first || first.min === 0) return undefined;
  if (first.kind === 'set') return charactersOf(first.source);
  if (first.kind !== 'group') return undefined;
  const parts = first.options.map(startsOf);
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

const SAMPLES = Array.from({length: 129}, (_, code) => (code < 128 ? String.fromCharCode(code) : '\u{e9}'));

function charactersOf(set: string): readonly number[] {
  const test = new RegExp(`^${set}$`);
  // What is beyond ASCII is taken for one character, so a named one there may overlap.
  return SAMPLES.flatMap((sample, code) =>
    test.test(sample) || (code === 128 && /[^\u0000-\u007f]|\\[uxpP]/.test(set)) ? [code] : [],
  );
}
