import type {Catalog} from './catalog/catalog.js';
import type {LiveCatalog} from './catalog/live-catalog.js';
import type {Sources} from './calls/sources.js';
import type {Scope} from './scopes/scope.js';
import type {Uses} from './scopes/uses.js';

interface Parts {
  readonly catalog: LiveCatalog;
  readonly uses: Uses;
  readonly sources: Sources;
  /** Every scope that is open, those that end first before those that they are in. */
  readonly scopes: readonly Scope[];
}

/**
 * Continues with another catalog: services of plugins that changed are disposed, and what was created with them. Call
 * it while no call is running.
 */
export async function exchangeCatalog(next: Catalog, {catalog, uses, sources, scopes}: Parts): Promise<void> {
  const names = uses.createdWith(servicesOf(catalog, changedPlugins(catalog, next)));
  await Promise.all(scopes.map((scope) => scope.settle(names)));
  // At once, so that nothing that asks meanwhile gets an old service, or makes one.
  catalog.replace(next);
  sources.clear();
  for (const dispose of scopes.map((scope) => scope.release(names))) await dispose();
}

/** The names of the services that these plugins provide. */
function servicesOf({services}: Catalog, plugins: ReadonlySet<string>): readonly string[] {
  return [...services.values()].filter(({plugin}) => plugins.has(plugin)).map(({name}) => name);
}

/** Plugins that are not in both catalogs just as they are. */
function changedPlugins(before: Catalog, after: Catalog): ReadonlySet<string> {
  const names = [...before.plugins.keys(), ...after.plugins.keys()];
  const textOf = (catalog: Catalog, name: string): string => JSON.stringify(catalog.plugins.get(name)) ?? '';
  return new Set(names.filter((name) => textOf(before, name) !== textOf(after, name)));
}
