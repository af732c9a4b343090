import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import type {UserCatalog} from './user-catalog.js';

/** A moment whose listeners refuse: who takes one away loosens. */
const GUARDED = 'tool:judge';

/**
 * The plugins of the product that stay: all but those that an administrator blocks by name, and those that a bundle in
 * force does not list. What a person's own bundle does not list stays all the same when it judges calls, or is needed
 * by what does.
 */
export function chooseProduct(
  product: readonly CatalogPlugin[],
  {withheld, bundles}: Pick<UserCatalog, 'withheld' | 'bundles'>,
): readonly CatalogPlugin[] {
  const listedBy = (origin: 'user' | 'system', name: string): boolean =>
    bundles.every((one) => one.origin !== origin || one.product.length === 0 || one.product.includes(name));
  const allowed = product.filter(({manifest: {name}}) => !withheld.includes(name) && listedBy('system', name));
  const kept = new Set(
    allowed.filter(
      ({manifest}) => listedBy('user', manifest.name) || manifest.listeners.some(({hook}) => hook === GUARDED),
    ),
  );
  // A set that grows while it is walked is walked to its end.
  for (const {manifest} of kept)
    for (const provider of providersOf(Object.keys(manifest.requires.services), allowed)) kept.add(provider);
  return allowed.filter((plugin) => kept.has(plugin));
}

function providersOf(services: readonly string[], plugins: readonly CatalogPlugin[]): readonly CatalogPlugin[] {
  return plugins.filter(({manifest}) => manifest.services.some(({name}) => services.includes(name)));
}
