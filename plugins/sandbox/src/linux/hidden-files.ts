import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {passDescriptors} from '@gemini-kernel/processes';
import type {Confined, Mount} from '../contract.js';
import {LONGEST_LIST} from '../starter/way.js';

/** So many files are hidden by bubblewrap itself, which is faster then. */
const FEW = 1;
const PATIENCE_MS = 5000;

/** Whose processes are confined. */
export interface Person {
  readonly user: number;
  readonly group: number;
}

/** Who makes which mounts. */
export interface Split {
  /** What bubblewrap mounts, in its order. */
  readonly mounts: readonly Mount[];
  /** What the starter reads, or undefined where it has nothing to hide. */
  readonly list?: Buffer;
}

/**
 * Leaves masks to the starter, but for the first, which it makes the others of. Masks are the innermost mounts of a
 * plan, so that they may come last. What its memory does not hold stays with bubblewrap.
 */
export function splitMasks(all: readonly Mount[], {user, group}: Person): Split {
  const masks = all.filter(({kind}) => kind === 'masked').map(({path}) => path);
  if (masks.length <= FEW) return {mounts: all};
  const names = `\0${user} 0 1\0${group} 0 1\0`;
  let left = LONGEST_LIST - Buffer.byteLength(names);
  const taken = masks.filter((path) => (left -= Buffer.byteLength(path) + 1) >= 0);
  const hidden = new Set(taken.slice(FEW));
  return {
    mounts: all.filter(({kind, path}) => kind !== 'masked' || !hidden.has(path)),
    list: Buffer.from(taken.map((path) => `${path}\0`).join('') + names),
  };
}

/** What a program is shown to find out whether the starter can hide files: two that are not secret stand for masks. */
export function trialMounts(empty: string, starter: string): readonly Mount[] {
  const kinds: readonly Pick<Mount, 'kind' | 'path'>[] = [
    {kind: 'read', path: '/'},
    {kind: 'system', path: '/dev'},
    {kind: 'system', path: '/proc'},
    {kind: 'fresh', path: '/run'},
    {kind: 'masked', path: empty},
    {kind: 'masked', path: starter},
  ];
  return kinds.map((mount) => ({...mount, why: 'a trial'}));
}

/** Whether a confined program ends well: a system can forbid what the starter needs, and allow bubblewrap the rest. */
export async function endsWell({file, args, variables, descriptors}: Confined): Promise<boolean> {
  const passing = passDescriptors(descriptors);
  const child = spawn(file, args, {
    cwd: '/',
    env: variables,
    stdio: ['ignore', 'ignore', 'ignore', ...passing.stdio],
    timeout: PATIENCE_MS,
  });
  passing.give(child);
  const [code] = await once(child, 'exit').catch(() => [1]);
  return code === 0;
}
