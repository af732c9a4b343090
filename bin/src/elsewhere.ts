import {join} from 'node:path';
import {createElsewhere as createWith} from '@gemini-kernel/admission/elsewhere';
import type {CheckedTree} from '@gemini-kernel/admission/modules';
import type {Catalog, Elsewhere} from '@gemini-kernel/kernel/host';
import {openTree, type TreePlace} from './checked-tree.js';

/** What runs plugins elsewhere. `treeOf` gives the tree of a file that a lock vouches for. */
export function createElsewhere(
  catalog: Pick<Catalog, 'plugins' | 'services'>,
  treeOf: (file: string) => TreePlace | undefined = () => undefined,
): Elsewhere {
  return createWith(catalog, ({root}, module) => readTree(treeOf(join(root, module))));
}

/** The files of a tree as they are to be: looked at again, since hours may lie between a start and a first use. */
async function readTree(place: TreePlace | undefined): Promise<CheckedTree | undefined> {
  if (!place) return undefined;
  const {verifyTree} = await import('@gemini-kernel/admission/start');
  const fault = await verifyTree(place);
  if (fault !== undefined) throw new Error(fault);
  return openTree(place);
}
