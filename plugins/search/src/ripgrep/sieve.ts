import {sep} from 'node:path';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {WalkRequest} from '../engine/engine.js';
import {withSeparator} from '../with-separator.js';
import type {Run} from './rg-arguments.js';

/** Of what a run found, that which is meant. */
export type Sieve = <T>(found: readonly T[], pathOf: (one: T) => string) => Promise<readonly T[]>;

/**
 * Filters what ripgrep cannot express: patterns for whole paths, and rules of the workspace that it does not know.
 */
export function sieveFor(
  {wants, ignore}: WalkRequest,
  {places, asksAgain}: Run,
  workspace: Pick<Workspace, 'ignored'>,
): Sieve {
  const isWanted = (path: string): boolean => {
    const place = places.find((one) => path === one.path || path.startsWith(withSeparator(one.path)));
    if (wants === undefined || place === undefined || place.path === path) return true;
    return place.bases.some((base) => {
      const inside = path.slice(withSeparator(base).length);
      return wants.matches(sep === '/' ? inside : inside.replaceAll(sep, '/'));
    });
  };
  return async (found, pathOf) => {
    const wanted = wants === undefined ? found : found.filter((one) => isWanted(pathOf(one)));
    if (!asksAgain || ignore === false || wanted.length === 0) return wanted;
    const ignored = await workspace.ignored(wanted.map(pathOf), ignore);
    return wanted.filter((_, index) => ignored[index] !== true);
  };
}
