import type {ServiceContext} from '@gemini-kernel/kernel';
import type {SourcedTheme} from '../../contract.js';

/** A theme of a source, under the name that chooses it. */
export interface ChoosableTheme {
  readonly name: string;
  readonly owner: string;
  readonly colours: unknown;
}

/** The schema of what a source of themes lists. */
const themeItem = {
  type: 'object',
  required: ['name', 'colours'],
  properties: {
    name: {type: 'string', minLength: 1, maxLength: 100},
    from: {type: 'string', minLength: 1, maxLength: 100},
    colours: {type: 'object'},
  },
} as const;

/** The themes of all sources, in alphabetical order; of two with one name, the first counts. */
export async function sourcedThemes({sources}: Pick<ServiceContext, 'sources'>): Promise<readonly ChoosableTheme[]> {
  const found = new Map<string, ChoosableTheme>();
  for (const {items, isOurs, plugin} of await sources<SourcedTheme>('themes', themeItem)) {
    for (const {name, from, colours} of items) {
      // An installed plugin speaks for itself only.
      const owner = isOurs ? (from ?? plugin) : plugin;
      const full = `${name} (${owner})`;
      if (!found.has(full)) found.set(full, {name: full, owner, colours});
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
