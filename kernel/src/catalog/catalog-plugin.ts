import type {HostEntries, ListenerEntry, Manifest, Owned, ServiceEntry} from '../contract/manifest.js';
import {satisfies} from './version.js';

/** A plugin that admission let in. */
export interface CatalogPlugin {
  readonly root: string;
  readonly origin: 'core' | 'user' | 'link';
  readonly manifest: Manifest;
  /** A linked one that is tried in a process of its own. */
  readonly isolated?: true;
  /** Tools of the product that the person agreed to have replaced by it. */
  readonly replaces?: readonly string[];
}

/** The name under which the kernel and its host contribute. */
export const KERNEL = 'kernel';

/** Whether a plugin came with the product. */
export function isOurs({plugins}: {readonly plugins: ReadonlyMap<string, CatalogPlugin>}, name: string): boolean {
  return plugins.get(name)?.origin === 'core';
}

/** Whether a plugin has required a service: by its name, as optional, or as one of a family. */
export function isRequired({requires}: Manifest, {name, version}: Pick<ServiceEntry, 'name' | 'version'>): boolean {
  const range =
    requires.optional?.[name] ?? (name.includes(':') ? requires.services[`${name.split(':')[0] ?? ''}:*`] : undefined);
  return name in requires.services || (range !== undefined && satisfies(version, range));
}

/** The services that a host provides. */
export function hostServices({services}: HostEntries): readonly Owned<ServiceEntry>[] {
  return services.map((service) => ({...service, plugin: KERNEL}));
}

/** The listeners to a hook, each with its plugin. */
export function listenersOf(plugins: readonly CatalogPlugin[], hook: string): readonly Owned<ListenerEntry>[] {
  return plugins.flatMap(({manifest}) =>
    manifest.listeners.filter((one) => one.hook === hook).map((one) => ({...one, plugin: manifest.name})),
  );
}
