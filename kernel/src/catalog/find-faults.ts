import type {HostEntries} from '../contract/manifest.js';
import {listenersOf, type CatalogPlugin} from './catalog-plugin.js';
import {findClashes} from './find-clashes.js';
import {findUnusable} from './find-unusable.js';
import {orderListeners} from './order.js';

/** By plugin: why it is left out. */
export type Faults = ReadonlyMap<CatalogPlugin, string>;

/**
 * The faults of single plugins, or else of plugins beside each other; the next check excludes
 * them.
 */
export function findFaults(plugins: readonly CatalogPlugin[], host: HostEntries): Faults {
  const unusable = findUnusable(plugins, host);
  if (unusable.size > 0) return unusable;
  const clashes = findClashes(plugins, host);
  return clashes.size > 0 ? clashes : findCircles(plugins);
}

/**
 * Of those that stand in a circle only the last to come is left out: it closed the circle, and no plugin can push out
 * one before it.
 */
function findCircles(plugins: readonly CatalogPlugin[]): Faults {
  for (const hook of new Set(plugins.flatMap(({manifest}) => manifest.listeners.map((one) => one.hook)))) {
    const {circle} = orderListeners(listenersOf(plugins, hook));
    const last = plugins.filter(({manifest}) => circle.includes(manifest.name)).at(-1);
    if (last)
      return new Map([
        [last, `its place among the listeners of ${hook} goes round in a circle (${circle.join(', ')})`],
      ]);
  }
  return new Map();
}
