import {lstatSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {isAbsolute, join, relative, resolve, sep} from 'node:path';
import {readTextSync} from '@gemini-kernel/files';
import type {Mount} from '../contract.js';
import type {MadeNames} from './made-names.js';

/** What a program of the person obeys in a repository: git runs hooks, and programs that the configuration names. */
const WHY = 'git obeys it';
const LARGEST_CONFIG = 1 << 20;

/**
 * The mounts that let git work in a repository but keep a confined program from what git obeys. `root` is the root of
 * the workspace that holds it.
 */
export function protectRepository(folder: string, root: string, made: MadeNames): readonly Mount[] {
  const pinned: Mount[] = ancestors(folder, root).map((path) => ({
    kind: 'write',
    path,
    why: 'it holds a repository and cannot be replaced by another folder',
  }));
  const [hooks, config] = [join(folder, 'hooks'), join(folder, 'config')];
  if (!prepare(hooks, config) || !made.commonFolder(join(folder, 'commondir')))
    return [...pinned, {kind: 'read', path: folder, why: WHY}];
  const obeyed = [hooks, config, join(folder, 'commondir'), ...existing(folder, ['config.worktree', 'worktrees'])];
  const modules = moduleParts(join(folder, 'modules'));
  return [
    ...pinned,
    {kind: 'write', path: folder, why: 'git works in it; it cannot be replaced'},
    ...[...obeyed, ...modules].map((path): Mount => ({kind: 'read', path, why: WHY})),
    ...hooksElsewhere(config, root),
  ];
}

/** Folders between a root and what lies below it, from above. */
export function ancestors(path: string, root: string): readonly string[] {
  const names = relative(root, path).split(sep).slice(0, -1);
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

/** Sees that there is something to mount over; false when it is a link, which cannot be held. */
function prepare(hooks: string, config: string): boolean {
  try {
    const [one, other] = [hooks, config].map((path) => lstatSync(path, {throwIfNoEntry: false}));
    if (!one) mkdirSync(hooks);
    if (!other) writeFileSync(config, '', {flag: 'wx'});
    return (one?.isDirectory() ?? true) && (other?.isFile() ?? true);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}

function existing(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(folder, name)).filter((path) => lstatSync(path, {throwIfNoEntry: false}));
}

/** Hooks and configurations of submodules, which may lie in each other. */
function moduleParts(folder: string): readonly string[] {
  if (!lstatSync(folder, {throwIfNoEntry: false})?.isDirectory()) return [];
  return readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .flatMap(({name}) => {
      const module = join(folder, name);
      const parts = existing(module, ['hooks', 'config']);
      return parts.length > 0 ? [...parts, ...moduleParts(join(module, 'modules'))] : moduleParts(module);
    });
}

/** A folder of the workspace that the configuration names as the one with the hooks. */
function hooksElsewhere(config: string, root: string): readonly Mount[] {
  const {size} = lstatSync(config);
  if (size > LARGEST_CONFIG) return [];
  const [, named] = /^\s*hookspath\s*=\s*"?([^"\n;#]+?)"?\s*$/im.exec(readTextSync(config)) ?? [];
  if (named === undefined) return [];
  const path = isAbsolute(named) ? named : resolve(root, named);
  const isInside = path !== root && path.startsWith(`${root}${sep}`);
  const isFolder = lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
  return isInside && isFolder ? [{kind: 'read', path, why: 'git runs the hooks in it (core.hooksPath)'}] : [];
}
