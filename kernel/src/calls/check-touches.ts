import {isAbsolute, resolve} from 'node:path';
import {includesCapability, type Capability} from '../catalog/capability.js';
import type {CatalogPlugin} from '../catalog/catalog-plugin.js';
import {KernelError} from '../contract/error.js';
import type {Touch} from '../contract/tool-call.js';

/**
 * Throws KernelError CAPABILITY_UNDECLARED when a tool of an installed plugin touches what its plugin does not declare,
 * and TypeError when what a tool marks as its subject is not one whole path.
 */
export function checkTouches(plugin: CatalogPlugin | undefined, tool: string, touches: readonly Touch[]): void {
  const [subject, another] = touches.filter(({isSubject}) => isSubject);
  if (another) throw new TypeError(`${tool} marks two touches as its subject: ${subject?.value}, ${another.value}.`);
  if (subject && !isWholePath(subject))
    throw new TypeError(`${tool} marks ${subject.value} as its subject, which is not an absolute, normal path.`);
  if (!plugin || plugin.origin === 'core') return;
  const declared = plugin.manifest.capabilities ?? [];
  const missing = touches.map(capabilityOf).find((needed) => !declared.some((one) => includesCapability(one, needed)));
  if (missing === undefined) return;
  const hint = 'Its author must add it to gemini.capabilities in package.json; users approve it when they install.';
  throw new KernelError(
    'CAPABILITY_UNDECLARED',
    `${tool} of ${plugin.manifest.name} reaches for ${missing}, which its plugin does not declare.`,
    {hint},
  );
}

/** Nothing is left to resolve in it: what is judged is what is opened. */
function isWholePath({kind, value}: Touch): boolean {
  return kind === 'path' && isAbsolute(value) && resolve(value) === value;
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
