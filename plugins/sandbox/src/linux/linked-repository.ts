import {existsSync, realpathSync} from 'node:fs';
import {dirname, join, resolve, sep} from 'node:path';
import {isFileFault, readTextSync} from '@gemini-kernel/files';
import type {Mount} from '../contract.js';
import {isWithin} from './is-within.js';
import type {MadeNames} from './made-names.js';
import {protectRepository} from './protect-repository.js';

const LONGEST = 8192;

/**
 * The mounts that let git work in a worktree whose repository lies outside the workspace. A file of the project only
 * says where that is: it counts when the repository itself, which the project cannot write, names the worktree.
 */
export function openLinked(
  pointer: string,
  {roots, made}: {readonly roots: readonly string[]; readonly made: MadeNames},
): readonly Mount[] {
  const own = followFile(pointer, /^gitdir: (.+)$/m);
  if (own === undefined || roots.some((root) => isWithin(own, root))) return [];
  const [back, common] = [followFile(join(own, 'gitdir'), /^(.+)$/m), followFile(join(own, 'commondir'), /^(.+)$/m)];
  if (back !== pointer || common === undefined || !own.startsWith(`${join(common, 'worktrees')}${sep}`)) return [];
  const obeyed = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(own, name)).filter(existsSync);
  return [
    ...protectRepository(common, dirname(common), made),
    {kind: 'write', path: own, why: 'the worktree in the workspace belongs to it'},
    ...obeyed.map((path): Mount => ({kind: 'read', path, why: 'git obeys it'})),
  ];
}

/** The real path that a file names; undefined when there is none. */
function followFile(file: string, pattern: RegExp): string | undefined {
  try {
    const [, path] = pattern.exec(readTextSync(file, LONGEST)) ?? [];
    return path === undefined ? undefined : realpathSync(resolve(dirname(file), path));
  } catch (error) {
    if (isFileFault(error) || typeof (error as NodeJS.ErrnoException).code === 'string') return undefined;
    throw error;
  }
}
