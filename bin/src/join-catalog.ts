import {createCatalog, type Catalog} from '@gemini-kernel/kernel/host';
import {hostErrors} from './host-errors.js';
import {hostServices} from './host-services.js';
import type {InstalledState} from './installed-state.js';

export interface JoinChanges {
  /** Other folders of installed plugins, by name. */
  readonly roots?: ReadonlyMap<string, string>;
  /** Installed plugins to leave out, each with the reason. */
  readonly without?: ReadonlyMap<string, string>;
}

/** One catalog of the product's plugins and the installed ones. */
export function joinCatalog(
  {product, user, hostCommands}: InstalledState,
  {roots = new Map(), without = new Map()}: JoinChanges = {},
): Catalog {
  const installed = (user?.plugins ?? []).map((plugin) => ({
    ...plugin,
    root: roots.get(plugin.manifest.name) ?? plugin.root,
  }));
  const kept = installed.filter(({manifest: {name}}) => !without.has(name));
  const left = installed
    .filter(({manifest: {name}}) => without.has(name))
    .map(({root, manifest: {name}}) => ({name, root, reason: without.get(name) ?? ''}));
  return createCatalog([...product, ...kept], {
    refused: [...(user?.refused ?? []), ...left],
    host: {commands: hostCommands, services: hostServices, errors: hostErrors},
  });
}
