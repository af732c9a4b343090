import type {Explanation} from '@gemini-kernel/plugin-settings/contract';

/** A file or folder with rules that a flag or a setting names. */
export interface NamedPath {
  readonly path: string;
  readonly origin: 'flag' | 'settings' | 'project' | 'admin';
}

/** Who speaks in a layer of settings, where it is neither a person's own nor an administrator's. */
const ORIGINS: ReadonlyMap<string, NamedPath['origin']> = new Map([
  ['flag', 'flag'],
  ['environment', 'flag'],
  ['workspace', 'project'],
]);

/** The paths that a setting names, each with who named it. */
export function namedPathsOf({layers}: Pick<Explanation, 'layers'>): readonly NamedPath[] {
  return layers.flatMap(({layer, value, managed}) => {
    const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
    const origin = managed ? 'admin' : (ORIGINS.get(layer) ?? 'settings');
    return paths
      .filter((path) => typeof path === 'string' && path !== '')
      .map((path) => ({path: String(path), origin}));
  });
}
