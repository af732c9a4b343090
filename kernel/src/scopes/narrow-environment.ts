import {includesCapability} from '../catalog/capability.js';
import type {CatalogPlugin} from '../catalog/catalog-plugin.js';
import type {Environment} from '../contract/environment.js';

/** What a plugin is shown of the environment: the variables that it declares, if any are there. Our own see all. */
export function narrowEnvironment(environment: Environment, plugin: CatalogPlugin | undefined): Environment {
  if (!plugin || plugin.origin === 'core' || !('variables' in environment)) return environment;
  const declared = plugin.manifest.capabilities ?? [];
  const shown = Object.entries(environment.variables).filter(([name]) =>
    declared.some((one) => includesCapability(one, `env:${name}`)),
  );
  return {...environment, variables: Object.fromEntries(shown)};
}
