import {realpathSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {FoundEditor} from '../contract.js';

type Platform = Environment['platform'];

/** A workspace with more folders is compared by the first of them. */
const MOST_ROOTS = 200;

/**
 * The folders in `workspacePath`, which are joined as PATH is; what is no absolute path is left out, for it would be
 * one of this program's own folder.
 */
export function splitRoots(joined: string, platform: Platform): readonly string[] {
  const {isAbsolute, delimiter} = pathOf(platform);
  return joined
    .split(delimiter)
    .filter((one) => isAbsolute(one))
    .slice(0, MOST_ROOTS);
}

/** Real paths, so that a link is what it leads to; a folder that cannot be reached stays as it is written. */
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

/** How the editor's folders and the current one lie to each other; the closest one counts. All paths are real. */
export function compareRoots(cwd: string, roots: readonly string[], platform: Platform): FoundEditor['overlap'] {
  if (roots.length === 0) return 'no-roots';
  const kinds = new Set(roots.map((root) => compareRoot(cwd, root, platform)));
  return (['same', 'inside-root', 'holds-root'] as const).find((kind) => kinds.has(kind)) ?? 'disjoint';
}

/** How much of the current folder's path the closest of an editor's folders that holds it covers; 0 when none does. */
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
 * A path that ends as folders do, so that names which only begin alike differ; Windows writes drives and folders in
 * either case.
 */
function withEnd(path: string, platform: Platform): string {
  const {sep} = pathOf(platform);
  const folded = platform === 'win32' ? path.replaceAll('/', sep).toLowerCase() : path;
  return folded.endsWith(sep) ? folded : folded + sep;
}
