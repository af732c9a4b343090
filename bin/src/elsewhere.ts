import {join} from 'node:path';
import type {CheckedTree} from '@gemini-kernel/admission/modules';
import {KERNEL, type Catalog, type Elsewhere} from '@gemini-kernel/kernel/host';
import {openTree, type TreePlace} from './checked-tree.js';

/** The service that runs plugins elsewhere, as far as a host knows it. */
interface Runner {
  contribute(request: object): Promise<unknown>;
}

const RUNNER = 'isolation';

/**
 * Has the contributions of what a person installed come from another process, where the plugin for that says so.
 * `treeOf` gives the tree of a file that a lock vouches for.
 */
export function createElsewhere(
  catalog: Pick<Catalog, 'plugins' | 'services'>,
  treeOf: (file: string) => TreePlace | undefined = () => undefined,
): Elsewhere {
  return (entry, kind, given) => {
    // Contracts belong to plugins, of which a host knows only the names that it needs here.
    const lookup = given as unknown as (name: string, asker: string) => Promise<unknown>;
    const plugin = catalog.plugins.get(entry.plugin);
    if (!plugin || !mayRunElsewhere(catalog, entry.plugin)) return undefined;
    const serviceOf = (name: string): unknown => catalog.services.get(name);
    const workspace = (): Promise<unknown> => lookup('workspace', KERNEL);
    return lookup(RUNNER, KERNEL).then((runner) =>
      (runner as Runner).contribute({
        ...{plugin, entry, kind, serviceOf, workspace},
        tree: () => readTree(treeOf(join(plugin.root, entry.module))),
      }),
    );
  };
}

/** The files of a tree as they are to be: looked at again, since hours may lie between a start and a first use. */
async function readTree(place: TreePlace | undefined): Promise<CheckedTree | undefined> {
  if (!place) return undefined;
  const {verifyTree} = await import('@gemini-kernel/admission/start');
  const fault = await verifyTree(place);
  if (fault !== undefined) throw new Error(fault);
  return openTree(place);
}

/** Whether a plugin is one that a person installed, or tries so, and something is there that runs it elsewhere. */
export function mayRunElsewhere(catalog: Pick<Catalog, 'plugins' | 'services'>, name: string): boolean {
  const plugin = catalog.plugins.get(name);
  return (plugin?.origin === 'user' || plugin?.isolated === true) && hasRunner(catalog);
}

/** Whether the product has it. A service of that name of an installed plugin decides nothing. */
function hasRunner({plugins, services}: Pick<Catalog, 'plugins' | 'services'>): boolean {
  return plugins.get(services.get(RUNNER)?.plugin ?? '')?.origin === 'core';
}
