import {includesCapability, type Capability} from '../catalog/capability.js';
import type {CatalogPlugin} from '../catalog/catalog-plugin.js';
import {KernelError} from '../contract/error.js';
import type {Touch} from '../contract/tool-call.js';

/**
 * Throws KernelError CAPABILITY_UNDECLARED when a tool of an installed plugin touches what its plugin does not declare.
 */
export function checkTouches(plugin: CatalogPlugin | undefined, tool: string, touches: readonly Touch[]): void {
  if (!plugin || plugin.origin === 'core') return;
  const declared = plugin.manifest.capabilities ?? [];
  const missing = touches.map(capabilityOf).find((needed) => !declared.some((one) => includesCapability(one, needed)));
  if (missing === undefined) return;
  const hint = 'Its author adds it to gemini.capabilities in package.json, and whoever installs it is asked.';
  throw new KernelError(
    'CAPABILITY_UNDECLARED',
    `${tool} of ${plugin.manifest.name} reaches for ${missing}, which its plugin does not declare.`,
    {hint},
  );
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
