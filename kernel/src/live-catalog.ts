import type {Catalog} from './catalog.js';

/** A catalog that can become another one under those who hold it. What was taken out of it before stays as it was. */
export interface LiveCatalog extends Catalog {
  /** The catalog that it answers as. */
  readonly current: Catalog;
  replace(next: Catalog): void;
}

/** Gives a catalog that answers as `first` does, until it is replaced. */
export function createLiveCatalog(first: Catalog): LiveCatalog {
  if ('replace' in first) return first as LiveCatalog;
  let current = first;
  return {
    get current() {
      return current;
    },
    get plugins() {
      return current.plugins;
    },
    get refused() {
      return current.refused;
    },
    get tools() {
      return current.tools;
    },
    get services() {
      return current.services;
    },
    get hooks() {
      return current.hooks;
    },
    get listeners() {
      return current.listeners;
    },
    get commands() {
      return current.commands;
    },
    get flags() {
      return current.flags;
    },
    exitCodeOf: (code) => current.exitCodeOf(code),
    fileOf: (contribution) => current.fileOf(contribution),
    replace(next) {
      current = next;
    },
  };
}

/** Plugins that are not in both catalogs just as they are. */
export function changedPlugins(before: Catalog, after: Catalog): ReadonlySet<string> {
  const names = [...before.plugins.keys(), ...after.plugins.keys()];
  const textOf = (catalog: Catalog, name: string): string => JSON.stringify(catalog.plugins.get(name)) ?? '';
  return new Set(names.filter((name) => textOf(before, name) !== textOf(after, name)));
}
