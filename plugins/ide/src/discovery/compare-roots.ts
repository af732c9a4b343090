import {realpathSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {FoundEditor} from '../contract.js';

type Platform = Environment['platform'];

/** Only this many folders of a workspace are compared. */
const MOST_ROOTS = 200;

/**
 * The folders in `workspacePath`, joined as in PATH. Relative paths are left out, because they would refer to this
 * program's own folder.
 */
export function splitRoots(joined: string, platform: Platform): readonly string[] {
  const {isAbsolute, delimiter} = pathOf(platform);
  return joined
    .split(delimiter)
    .filter((one) => isAbsolute(one))
    .slice(0, MOST_ROOTS);
}

/** Resolves links; a folder that cannot be reached stays as written. */
export function realRoots(roots: readonly string[]): readonly string[] {
  return [
    ...new Set(
      roots.map((root) => {
        try {
          return realpathSync.native(root);
        } catch {
          return root;
        }
      }),
    ),
  ];
}

/** The relation between the editor's folders and the current one; the closest one counts. All paths are real. */
export function compareRoots(cwd: string, roots: readonly string[], platform: Platform): FoundEditor['overlap'] {
  if (roots.length === 0) return 'no-roots';
  const kinds = new Set(roots.map((root) => compareRoot(cwd, root, platform)));
  return (['same', 'inside-root', 'holds-root'] as const).find((kind) => kinds.has(kind)) ?? 'disjoint';
}

/**
 * The length of the current folder's path that the closest containing folder of the editor covers; 0 when none does.
 */
export function depthOfRoots(
  cwd: string,
  {roots, overlap}: Pick<FoundEditor, 'roots' | 'overlap'>,
  platform: Platform,
): number {
  if (overlap === 'same') return cwd.length;
  if (overlap !== 'inside-root') return 0;
  return Math.max(
    0,
    ...roots.filter((root) => compareRoot(cwd, root, platform) === 'inside-root').map((root) => root.length),
  );
}

function pathOf(platform: Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

function compareRoot(cwd: string, root: string, platform: Platform): FoundEditor['overlap'] {
  const [here, there] = [withEnd(cwd, platform), withEnd(root, platform)];
  if (here === there) return 'same';
  return here.startsWith(there) ? 'inside-root' : there.startsWith(here) ? 'holds-root' : 'disjoint';
}

/**
 * Ends a path with a separator, so that names with a common beginning differ; Windows writes drives and folders in
 * either case.
 */
function withEnd(path: string, platform: Platform): string {
  const {sep} = pathOf(platform);
  const folded = platform === 'win32' ? path.replaceAll('/', sep).toLowerCase() : path;
  return folded.endsWith(sep) ? folded : folded + sep;
}
