import {isAbsolute, relative, resolve, sep} from 'node:path';
import type {Root} from '@gemini-kernel/plugin-workspace/contract';

/** Why no root holds a path, given as a person wrote it, as a sentence. */
export function explainOutside(given: string, roots: readonly Root[]): string {
  const [first] = roots;
  const isFromHome = /^(?:~|%userprofile%)(?:$|[\\/])/i.test(given);
  const left =
    first === undefined || isFromHome ? undefined : roots.find(({path}) => holds(path, resolve(first.path, given)));
  return left === undefined
    ? 'It is outside the directories that tools may reach.'
    : `A symbolic link on the way leads out of ${left.path}.`;
}

function holds(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner));
}
