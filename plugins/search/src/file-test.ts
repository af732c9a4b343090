import {isAbsolute, sep} from 'node:path';
import {ToolError} from '@gemini-kernel/kernel';
import {boundedTest, TestTooLong, type Choices} from './bounded-test.js';
import type {FileTest, Place} from './engine/engine.js';
import {shownPath} from './shown-path.js';

export interface FileTestOptions {
  readonly isCaseSensitive: boolean;
  /** Whether a pattern without a slash means names in every directory, or only those directly in the base. */
  readonly matchesNames: boolean;
}

/** What a glob pattern means: where to look, and which files count. */
export interface PlacedTest {
  readonly places: readonly Place[];
  readonly test: FileTest;
  /** Directories, written out, that the pattern begins with. */
  readonly base: readonly string[];
}

/** No real pattern has more, and reading them takes quadratic time. */
const MOST_GROUPS = 100;
const LONGEST_SHOWN = 60;
/** With more classes and choices than this a pattern is not taken for a plain one. */
const MOST_PLAIN = 3;

/**
 * Compiles a glob. An absolute one counts in the place that it leads into, from there. Throws ToolError
 * PATTERN_INVALID, as the test may, when it is too much.
 */
export async function compileFileTest(
  pattern: string,
  places: readonly Place[],
  {isCaseSensitive, matchesNames}: FileTestOptions,
): Promise<PlacedTest> {
  const {default: picomatch} = await import('picomatch');
  const given = sep === '/' ? pattern : pattern.replaceAll(sep, '/');
  const [glob, meant] = isAbsolute(pattern) ? placed(given, places) : [given.replace(/^(?:\.\/)+/, ''), places];
  // Of what is in a directory, nothing has no name.
  if (glob === '') return {places: meant, test: {matches: () => false}, base: []};
  if (glob.split('(').length > MOST_GROUPS) throw tooMuch(pattern, `has more than ${MOST_GROUPS} groups`);
  const matcher = createMatcher(
    picomatch.makeRe(glob, {dot: true, nocase: !isCaseSensitive, nonegate: true}),
    glob,
    pattern,
  );
  const isName = matchesNames && !glob.includes('/');
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  const nameGlob = nameGlobOf(name, isCaseSensitive);
  const {base} = picomatch.scan(glob);
  // Without anything special in it, the last name of the pattern is a file's.
  const folders = base.split('/').filter((folder) => folder !== '' && folder !== '.');
  return {
    places: meant,
    test: {
      matches: isName ? (path) => matcher(path.slice(path.lastIndexOf('/') + 1)) : (path) => matcher(path),
      ...(nameGlob === undefined ? {} : {nameGlob}),
    },
    base: base === glob ? folders.slice(0, -1) : folders,
  };
}

/** Fits what the regular expression does, and the glob as it is written. */
function createMatcher(regex: RegExp, glob: string, given: string): (path: string) => boolean {
  const fits = boundedTest(regex, choicesOf(glob));
  const matches = (path: string): boolean => {
    try {
      return path === glob || fits(path);
    } catch (error) {
      if (error instanceof TestTooLong)
        throw tooMuch(given, `takes too long to hold against ${shownPath(path)}`, error);
      // What is too large is found out when it is first used.
      if ((error as Error).name === 'SyntaxError') throw tooMuch(given, 'is too long', error);
      throw error;
    }
  };
  matches('a');
  return matches;
}

/** How often a glob leaves a choice, for a plain one; 'many' for what does not say that at once. */
function choicesOf(glob: string): Choices | 'many' {
  const choices: number[] = [];
  // A class may also mean its own letters.
  const plain = glob
    .replaceAll(/\[[\w-]+\]/g, () => (choices.push(2), 'x'))
    .replaceAll(/\{([^{}]*)\}/g, (_, inside: string) => {
      choices.push(inside.includes('..') ? Infinity : inside.split(',').length);
      return inside;
    });
  if (choices.length > MOST_PLAIN || !/^[\p{L}\p{M}\p{N} .,_/*?-]*$/u.test(plain)) return 'many';
  return {repeats: plain.match(/\*+/g)?.length ?? 0, branches: choices.reduce((product, count) => product * count, 1)};
}

function tooMuch(pattern: string, what: string, cause?: unknown): ToolError {
  const shown = shownPath(pattern.length > LONGEST_SHOWN ? `${pattern.slice(0, LONGEST_SHOWN)}...` : pattern);
  return new ToolError('PATTERN_INVALID', `The glob pattern ${shown} ${what}.`, {
    cause,
    hint: 'Use fewer stars and groups.',
  });
}

function placed(glob: string, places: readonly Place[]): [string, readonly Place[]] {
  const start = ({bases: [base]}: Place): string =>
    `${(sep === '/' ? base : base.replaceAll(sep, '/')).replace(/\/$/, '')}/`;
  const meant = places.filter((place) => glob.startsWith(start(place)));
  const [first] = meant;
  return first ? [glob.slice(start(first).length), [first]] : [glob, []];
}

/** For engines that know plain globs: only what means the same to all of them. */
function nameGlobOf(name: string, isCaseSensitive: boolean): string | undefined {
  if (!/^[\w.*?{},-]+$/.test(name) || name.includes('**') || !/^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/.test(name))
    return undefined;
  // One choice, or one between numbers, is read differently.
  if (
    [...name.matchAll(/\{([^{}]*)\}/g)].some(
      ([, choices = '']) => !/^[^,]+(?:,[^,]+)+$/.test(choices) || choices.includes('..'),
    )
  )
    return undefined;
  // For some, a question mark is one byte.
  const wide = name.replaceAll(/[*?]+/g, '*');
  if (wide === '*') return undefined;
  return isCaseSensitive
    ? wide
    : wide.replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
