import {stat} from 'node:fs/promises';
import {dirname, extname, basename, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {defaultExcludes} from './default-excludes.js';
import {errnoOf} from './disk-error.js';

export interface PatternRequest {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** False: only files directly in the directories that the patterns name. */
  readonly recursive: boolean;
  readonly useDefaultExcludes: boolean;
}

/** A path as patterns see it: below the root it was reached from. */
export interface Candidate {
  readonly path: string;
  readonly root: string;
}

/** Which files the patterns match. Case does not matter, dotfiles are included, `/` separates names on every system. */
export interface FilePatterns {
  matches(candidate: Candidate): boolean;
  /** Whether anything below this directory can match. */
  mayHold(directory: Candidate): boolean;
  /** Whether a pattern asks for this kind of file, or this file, by name. */
  names(path: string): boolean;
}

type Test = (text: string) => boolean;

/**
 * Compiles the patterns; a pattern that is the exact name of an existing file or directory is taken literally, a
 * directory with all its content.
 */
export async function compilePatterns(request: PatternRequest, roots: readonly string[]): Promise<FilePatterns> {
  const {default: picomatch} = await import('picomatch');
  const compile = (patterns: readonly string[]): Test =>
    patterns.length === 0 ? () => false : picomatch([...patterns], {dot: true, nocase: true, nonegate: true});
  const {literal, globs} = await sortOut(request.include, roots);
  const placed = globs.map((glob) =>
    glob.startsWith('../') ? posix(join(roots[0] ?? '', glob)) : glob.replace(/^\.\//, ''),
  );
  const {true: absolute = [], false: below = []} = groupBy(placed, (glob) => isAbsolute(glob));
  const [includesAbsolute, includesBelow] = [compile(absolute), compile(below)];
  const excludes = compile([...request.exclude, ...(request.useDefaultExcludes ? defaultExcludes : [])]);
  const bases = placed.map((glob) => picomatch.scan(glob).base.toLowerCase());

  const isInside = (path: string): boolean =>
    literal.some((one) =>
      request.recursive ? path === one || path.startsWith(one + sep) : path === one || dirname(path) === one,
    );
  const isAtBase = ({path, root}: Candidate): boolean => {
    const folder = posix(dirname(path)).toLowerCase();
    return bases.some((base) => folder === posix(resolve(root, base)).toLowerCase());
  };
  const isExcluded = ({path, root}: Candidate): boolean =>
    excludes(posix(relative(root, path))) || excludes(posix(path));
  return {
    matches(candidate) {
      const {path, root} = candidate;
      if (isExcluded(candidate)) return false;
      if (isInside(path)) return true;
      return (
        (includesBelow(posix(relative(root, path))) || includesAbsolute(posix(path))) &&
        (request.recursive || isAtBase(candidate))
      );
    },
    mayHold({path, root}) {
      // Names that no pattern spells out: what excludes them at any depth excludes the directory.
      const probes = [join(path, '\u0001'), join(path, '\u0001', '\u0001')];
      if (probes.every((probe) => isExcluded({path: probe, root}))) return false;
      const folder = posix(path).toLowerCase();
      const starts = [
        ...literal.map((one) => posix(one).toLowerCase()),
        ...bases.map((base) => posix(resolve(root, base)).toLowerCase()),
      ];
      return starts.some((start) => isWithin(folder, start) || isWithin(start, folder));
    },
    names: (path) => isNamed(path, request.include),
  };
}

function isNamed(path: string, patterns: readonly string[]): boolean {
  const extension = extname(path).toLowerCase();
  const name = basename(path, extname(path)).toLowerCase();
  return patterns.some((pattern) => pattern.toLowerCase().includes(extension) || pattern.toLowerCase().includes(name));
}

async function sortOut(
  include: readonly string[],
  roots: readonly string[],
): Promise<{literal: readonly string[]; globs: readonly string[]}> {
  const literal: string[] = [];
  const globs: string[] = [];
  for (const pattern of include) {
    const found =
      (await findLiteral(pattern, roots)) ??
      (pattern.startsWith('@') ? await findLiteral(pattern.slice(1), roots) : undefined);
    if (found === undefined) globs.push(posix(pattern));
    else literal.push(...found);
  }
  return {literal, globs};
}

async function findLiteral(pattern: string, roots: readonly string[]): Promise<readonly string[] | undefined> {
  const paths = [...new Set(roots.map((root) => resolve(root, pattern)))];
  const found = await Promise.all(paths.map(async (path) => ((await exists(path)) ? [path] : [])));
  return found.some(([path]) => path !== undefined) ? found.flat() : undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined && !path.includes('\0')) throw error;
    return false;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function posix(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

function groupBy(values: readonly string[], test: (value: string) => boolean): {true: string[]; false: string[]} {
  return {true: values.filter(test), false: values.filter((value) => !test(value))};
}
