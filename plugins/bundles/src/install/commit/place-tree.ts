import {rm} from 'node:fs/promises';
import {hashTree} from '@gemini-kernel/admission';
import {systemCode, systemFault} from '../../system-faults.js';
import {renameSteadily} from './rename-steadily.js';

/**
 * Moves a prepared tree to its place in a store and gives that place. A whole one that is there stays; any other makes
 * room. Call it while the lock is held. Throws KernelError INSTALL_UNWRITABLE.
 */
export async function placeTree(folder: string, target: string, tree: string): Promise<string> {
  try {
    if (isWhole(target, tree)) return target;
    await rm(target, {recursive: true, force: true, maxRetries: 3});
    await renameSteadily(folder, target);
    return target;
  } catch (error) {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot put ${target} in place`,
      hint: 'What is installed stays as it is.',
    });
  }
}

/** Whether a tree in a store is the one that a lock names; one that holds what no tree may is another one. */
export function isWhole(place: string, tree: string): boolean {
  try {
    return hashTree(place) === tree;
  } catch (error) {
    if (systemCode(error) !== undefined && systemCode(error) !== 'ENOENT') throw error;
    return false;
  }
}
