import picomatch from 'picomatch';
import {literalOfGlob} from './gram-index.js';
import {overlaps, tokensOfGlob, tokensOfShape, type Token} from './overlap.js';

/** A path as rules see it. */
export interface PlacedPath {
  /** Absolute, real, with forward slashes. */
  readonly value: string;
  /** The workspace root that holds it; undefined = outside. */
  readonly root: string | undefined;
  /** `value` is a shape with holes: one of many paths, unknown which. */
  readonly isShape?: boolean;
}

/** A compiled list of globs; matches when one of them does. */
export interface PathTest {
  matches(path: PlacedPath): boolean;
  /** Whether one of the paths that a shape stands for could match. */
  mayMatch(path: PlacedPath): boolean;
  /** The globs, for finding them by their literals. */
  readonly globs: readonly string[];
}

/** What globs mean on a machine. */
export interface PathSystem {
  readonly ignoreCase: boolean;
  readonly home: string;
}

/**
 * Compiles globs; `~/` is the home directory, and one that starts neither with `/`, a drive nor `**` counts from the
 * root that holds the path.
 */
export function compilePaths(globs: readonly string[], {ignoreCase, home}: PathSystem): PathTest {
  const options = {dot: true, nocase: ignoreCase};
  const tests = globs.map((written) => {
    const glob = written.replace(/^(?:\.|~)\//, '');
    const literal = literalOfGlob(glob).toLowerCase();
    let test: ((path: string) => boolean) | undefined;
    // A glob is compiled when a path first comes near it: of hundreds most never see one.
    const matches = (path: string): boolean =>
      path.toLowerCase().includes(literal) && (test ??= picomatch(glob, options))(path);
    if (written.startsWith('~/'))
      return ({value}: PlacedPath) => isBelow(value, home) && matches(relativeTo(home, value));
    if (/^(?:\/|[a-z]:|\*\*)/i.test(glob)) return ({value}: PlacedPath) => matches(value);
    return ({value, root}: PlacedPath) => root !== undefined && matches(relativeTo(root, value));
  });
  let patterns: readonly (readonly Token[])[] | undefined;
  const compile = (): readonly (readonly Token[])[] => globs.flatMap((glob) => tokensOfGlob(glob, {ignoreCase, home}));
  return {
    globs,
    matches: (path) =>
      path.isShape ? globs.some((glob) => /^(?:\/?\*\*|\*\*\/\*)$/.test(glob)) : tests.some((test) => test(path)),
    mayMatch: ({value}) => {
      const shape = tokensOfShape(value, ignoreCase);
      return (patterns ??= compile()).some((pattern) => overlaps(pattern, shape));
    },
  };
}

/** Whether a path lies in a folder, or is it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function relativeTo(root: string, path: string): string {
  return root === '/' ? path.slice(1) : path.slice(root.length + 1);
}
