import {KERNEL, type Catalog, type CatalogPlugin, type Elsewhere} from '@gemini-kernel/kernel/host';
import type {CheckedTree} from './module-checks.js';

/** The service that runs plugins elsewhere, as far as a host knows it. */
interface Runner {
  contribute(request: object): Promise<unknown>;
}

const RUNNER = 'isolation';

type Known = Pick<Catalog, 'plugins' | 'services'>;

/**
 * Has the contributions of what a person installed come from another process, where the plugin for that says so.
 * `treeOf` gives the files that a lock vouches for, of the plugin that a file belongs to.
 */
export function createElsewhere(
  catalog: Known,
  treeOf: (plugin: CatalogPlugin, module: string) => Promise<CheckedTree | undefined> = async () => undefined,
): Elsewhere {
  return (entry, kind, given) => {
    // Contracts belong to plugins, of which a host knows only the names that it needs here.
    const lookup = given as unknown as (name: string, asker: string) => Promise<unknown>;
    const plugin = catalog.plugins.get(entry.plugin);
    if (!plugin || !mayRunElsewhere(catalog, entry.plugin)) return undefined;
    const serviceOf = (name: string): unknown => catalog.services.get(name);
    const workspace = (): Promise<unknown> => lookup('workspace', KERNEL);
    const tree = (): Promise<CheckedTree | undefined> => treeOf(plugin, entry.module);
    return lookup(RUNNER, KERNEL).then((runner) =>
      (runner as Runner).contribute({...{plugin, entry, kind, serviceOf, workspace}, tree}),
    );
  };
}

/** Whether a plugin is one that a person installed, or tries so, and something is there that runs it elsewhere. */
export function mayRunElsewhere(catalog: Known, name: string): boolean {
  const plugin = catalog.plugins.get(name);
  return (plugin?.origin === 'user' || plugin?.isolated === true) && hasRunner(catalog);
}

/** Whether the product has it. A service of that name of an installed plugin decides nothing. */
function hasRunner({plugins, services}: Known): boolean {
  return plugins.get(services.get(RUNNER)?.plugin ?? '')?.origin === 'core';
}
