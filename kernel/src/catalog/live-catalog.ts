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
  const own: PropertyDescriptorMap = {
    current: {get: () => current},
    replace: {value: (next: Catalog) => void (current = next)},
  };
  const fields = (Object.keys(first) as (keyof Catalog)[]).map(
    (key) => [key, {enumerable: true, get: () => current[key]}] as const,
  );
  // Every field of a catalog is there, each as it is now.
  return Object.defineProperties({}, {...Object.fromEntries(fields), ...own}) as LiveCatalog;
}
