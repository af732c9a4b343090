import {includesCapability, type Capability} from './admission/capability.js';
import type {CatalogPlugin} from './catalog.js';
import type {Environment} from './environment.js';
import {KernelError} from './error.js';
import type {Touch} from './tool.js';

/** What a plugin is shown of the environment: of the variables, those that it declares. The product's own see all. */
export function narrowEnvironment(environment: Environment, plugin: CatalogPlugin | undefined): Environment {
  if (!plugin || plugin.origin === 'core') return environment;
  const declared = declaredOf(plugin);
  const shown = Object.entries(environment.variables).filter(([name]) =>
    declared.some((one) => includesCapability(one, `env:${name}`)),
  );
  return {...environment, variables: Object.fromEntries(shown)};
}

/**
 * Throws KernelError CAPABILITY_UNDECLARED when a tool of an installed plugin touches what its plugin does not declare.
 */
export function checkTouches(plugin: CatalogPlugin | undefined, tool: string, touches: readonly Touch[]): void {
  if (!plugin || plugin.origin === 'core') return;
  const declared = declaredOf(plugin);
  const missing = touches.map(capabilityOf).find((needed) => !declared.some((one) => includesCapability(one, needed)));
  if (missing === undefined) return;
  const hint = 'Its author adds it to gemini.capabilities in package.json, and whoever installs it is asked.';
  throw new KernelError(
    'CAPABILITY_UNDECLARED',
    `${tool} of ${plugin.manifest.name} reaches for ${missing}, which its plugin does not declare.`,
    {hint},
  );
}

function declaredOf({manifest: {capabilities = []}}: CatalogPlugin): readonly Capability[] {
  return capabilities;
}

function capabilityOf({kind, value, access}: Touch): Capability {
  if (kind === 'command') return 'process';
  if (kind === 'path') return access === 'read' ? 'fs:read' : access === 'write' ? 'fs:write' : 'process';
  try {
    return `net:${new URL(value).hostname}`;
  } catch {
    // No address that could be held against a host: only one who may reach every host may have it.
    return 'net:*';
  }
}
