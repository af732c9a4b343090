import {rm} from 'node:fs/promises';
import {hashTree} from '@gemini-kernel/admission';
import {systemCode, systemFault} from '../../system-faults.js';
import {renameSteadily} from './rename-steadily.js';

/**
 * Moves a prepared tree to its place in a store and returns that place. An intact tree there stays; a damaged one is
 * replaced. Call it while you hold the lock. Throws KernelError INSTALL_UNWRITABLE.
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
      hint: 'Installed plugins are unchanged.',
    });
  }
}

/** Whether a tree in a store is the one that a lock names; false if it contains what no tree may. */
export function isWhole(place: string, tree: string): boolean {
  try {
    return hashTree(place) === tree;
  } catch (error) {
    if (systemCode(error) !== undefined && systemCode(error) !== 'ENOENT') throw error;
    return false;
  }
}
