import * as nodeModule from 'node:module';
import type {CheckedTree} from '@gemini-kernel/admission/modules';
import {openTree, type TreePlace} from './checked-tree.js';

/** Sees to it that code of a tree runs only as it was verified. */
export interface CheckedImport {
  /** Resolves once that holds for a tree. Throws when its files cannot be those the lock was made for. */
  prepare(place: TreePlace): Promise<void>;
}

/** Whether checking costs a start no thread, so that it is done for every plugin. */
export const checksAreCheap = 'registerHooks' in nodeModule;

/** Makes the one guard of a process. `program` is the folder of this program. */
export function createCheckedImport(program: string): CheckedImport {
  const checks = {trees: [] as CheckedTree[], program};
  const prepared = new Map<string, Promise<void>>();
  let installing: Promise<(tree: CheckedTree) => Promise<void>> | undefined;
  const prepare = async (place: TreePlace): Promise<void> => {
    const tree = await openTree(place);
    // Most starts load no such code.
    installing ??= import('./install-hooks.js').then(({installHooks}) => installHooks(checks));
    await (
      await installing
    )(tree);
    checks.trees.push(tree);
  };
  return {
    prepare(place) {
      const preparing = prepared.get(place.root) ?? prepare(place);
      prepared.set(place.root, preparing);
      return preparing;
    },
  };
}
