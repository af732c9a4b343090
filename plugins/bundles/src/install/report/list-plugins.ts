import {isKernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Catalog} from '@gemini-kernel/kernel/host';
import {publishedSchema} from '../../published-schema.js';
import {listInstalled, type LockedPlace} from '../commit/list-installed.js';
import {describeOrigin} from '../judge/describe-plugin.js';
import type {InstallScope} from '../source/installer.js';
import type {Surroundings} from '../../surroundings.js';

export interface ListedPlugin {
  readonly name: string;
  readonly version: string;
  readonly type: 'core' | 'user' | 'link';
  readonly scope: InstallScope | 'product';
  readonly state: 'loaded' | 'refused' | 'shadowed';
  /** Why it is refused. */
  readonly reason?: string;
  readonly from: string;
  readonly signer?: string;
  readonly provenance?: LockedPlugin['provenance'];
  readonly root: string;
}

/** Installed plugins by name; with `core`, also those of the product. An unreadable lock is one refused line. */
export async function listPlugins(
  environment: Surroundings,
  catalog: Pick<Catalog, 'plugins' | 'refused'>,
  {core}: {readonly core: boolean},
): Promise<readonly ListedPlugin[]> {
  const installed = await readAll(environment);
  const product = [...catalog.plugins.values()]
    .filter(({origin}) => core && origin === 'core')
    .map(({root, manifest: {name, version}}): ListedPlugin => ({
      name,
      version,
      type: 'core',
      scope: 'product',
      state: 'loaded',
      from: 'the product',
      root,
    }));
  return [...product, ...installed.map((place) => ('locked' in place ? describe(place, catalog) : place))].sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

async function readAll(environment: Surroundings): Promise<readonly (LockedPlace | ListedPlugin)[]> {
  try {
    return await listInstalled(environment, await publishedSchema('plugins-lock'));
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return [
      {
        name: 'plugins.lock.json',
        version: '-',
        type: 'user',
        scope: 'user',
        state: 'refused',
        reason: error.message,
        from: 'a lock that cannot be read',
        root: environment.installs.user.lock,
      },
    ];
  }
}

function describe(
  {name, scope, locked, root, isShadowed}: LockedPlace,
  {plugins, refused}: Pick<Catalog, 'plugins' | 'refused'>,
): ListedPlugin {
  const reason = refused.find((one) => one.name === name && one.root === root)?.reason;
  const isLoaded = plugins.get(name)?.root === root;
  const state = isLoaded ? 'loaded' : isShadowed && reason === undefined ? 'shadowed' : 'refused';
  return {
    name,
    version: locked.version,
    type: locked.source.type === 'link' ? 'link' : 'user',
    scope,
    state,
    from: describeOrigin(locked),
    root,
    ...(state === 'refused' ? {reason: reason ?? 'it was not there when the program started'} : {}),
    ...(locked.signer ? {signer: locked.signer} : {}),
    ...(locked.provenance ? {provenance: locked.provenance} : {}),
  };
}
