import {sep} from 'node:path';
import type {MatchRequest, Place, WalkRequest} from '../engine/engine.js';

/** Places that one run of the program serves. */
export interface Run {
  readonly places: readonly Place[];
  /** Where patterns of `own` start from. */
  readonly directory: string;
  readonly git: boolean;
  readonly ignoreCase: boolean;
  /** Lines of `.geminiignore` and custom files that leave out, as the program's own globs. */
  readonly own: readonly {readonly pattern: string; readonly ignoreCase: boolean}[];
  /** Directories, from there, that other runs look into. */
  readonly without: readonly string[];
  /**
   * Whether the workspace must be asked about what the program finds, because its rules say more than the program was
   * told.
   */
  readonly asksAgain: boolean;
}

/** Flags of every run: which files it looks at. */
export function walkArguments(
  {withoutFolders, withoutEndings, wants, ignore}: WalkRequest,
  run: Run,
): readonly string[] {
  return [
    '--no-config',
    '--hidden',
    '--no-ignore-dot',
    '--no-ignore-global',
    '--no-ignore-messages',
    '--color=never',
    ...(run.git ? [] : ['--no-ignore']),
    ...(run.ignoreCase ? ['--ignore-file-case-insensitive'] : []),
    // As kinds of files, because a glob would also weigh more than what git ignores, or hold for directories.
    ...(wants?.nameGlob === undefined ? [] : ['--type-add', `wanted:${wants.nameGlob}`, '--type=wanted']),
    ...withoutEndings.flatMap((ending) => ['--type-add', `unwanted:*${ending}`]),
    ...(withoutEndings.length === 0 ? [] : ['--type-not=unwanted']),
    ...(ignore === false ? [] : ['--glob=!.git']),
    ...withoutFolders.map((name) => `--glob=!${name}/`),
    ...run.without.map(
      (path) => `--glob=!/${(sep === '/' ? path : path.replaceAll(sep, '/')).replaceAll(/[*?[\]{}\\]/g, '\\$&')}/`,
    ),
    ...run.own.map(({pattern, ignoreCase}) => `--${ignoreCase ? 'iglob' : 'glob'}=!${pattern}`),
  ];
}

/** Flags of a search for lines. `inOrder`: files come in path order, for which the program uses one thread. */
export function matchArguments(
  {pattern, except, mostPerFile, most}: MatchRequest,
  {inOrder}: {readonly inOrder: boolean},
): readonly string[] {
  // Which lines count is known here only when another pattern takes some away.
  const perFile = except === undefined ? [`--max-count=${Math.min(mostPerFile, most + 1)}`] : [];
  const isPcre = !pattern.isLiteral && pattern.rust === undefined;
  return [
    '--json',
    '--no-mmap',
    ...perFile,
    ...(inOrder ? ['--sort=path'] : []),
    // In a regular expression letters are written in every case that counts.
    pattern.isLiteral && !pattern.isCaseSensitive ? '--ignore-case' : '--case-sensitive',
    ...(pattern.isLiteral ? ['--fixed-strings'] : isPcre ? ['--pcre2'] : []),
    `--regexp=${pattern.rust ?? pattern.pcre ?? pattern.given}`,
  ];
}
