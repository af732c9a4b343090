import {dirname} from 'node:path';
import type {Root} from './contract.js';

/**
 * The roots in the order they were added, each real path once; finding the one that contains a path needs no loop over
 * them.
 */
export class Roots {
  readonly #byPath = new Map<string, Root>();

  /** True when the root is new. */
  add(root: Root): boolean {
    if (this.#byPath.has(root.path)) return false;
    this.#byPath.set(root.path, root);
    return true;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  list(): readonly Root[] {
    return [...this.#byPath.values()];
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  /** The innermost root that is, or contains, a real path. */
  holding(path: string): Root | undefined {
    for (let current = path; ;) {
      const root = this.#byPath.get(current);
      if (root !== undefined) return root;
      const parent = dirname(current);
      if (parent === current) return undefined;
      current = parent;
    }
  }
}
