import {isAbsolute, resolve} from 'node:path';
import {declaredPath, includesCapability, type Capability} from '../catalog/capability.js';
import type {CatalogPlugin} from '../catalog/catalog-plugin.js';
import {KernelError} from '../contract/error.js';
import type {Touch} from '../contract/tool-call.js';

interface Touched {
  readonly tool: string;
  readonly touches: readonly Touch[];
  readonly home: string;
}

/**
 * Throws KernelError CAPABILITY_UNDECLARED when a tool of an installed plugin touches what its plugin does not declare,
 * and TypeError when what a tool marks as its subject is not one whole path.
 */
export function checkTouches(plugin: CatalogPlugin | undefined, {tool, touches, home}: Touched): void {
  const [subject, another] = touches.filter(({isSubject}) => isSubject);
  if (another) throw new TypeError(`${tool} marks two touches as its subject: ${subject?.value}, ${another.value}.`);
  if (subject && !isWholePath(subject))
    throw new TypeError(`${tool} marks ${subject.value} as its subject, which is not an absolute, normal path.`);
  if (!plugin || plugin.origin === 'core') return;
  const declared = plugin.manifest.capabilities ?? [];
  const undeclared = findUndeclared(touches, declared, home);
  if (undeclared === undefined) return;
  const missing = capabilityOf(undeclared);
  const hint = 'Its author must add it to gemini.capabilities in package.json; users approve it when they install.';
  throw new KernelError(
    'CAPABILITY_UNDECLARED',
    `${tool} of ${plugin.manifest.name} reaches for ${missing}, which its plugin does not declare.`,
    {hint},
  );
}

/** The first touch that none of the capabilities includes. */
export function findUndeclared(
  touches: readonly Touch[],
  declared: readonly Capability[],
  home: string,
): Touch | undefined {
  return touches.find((touch) => !declared.some((one) => isDeclared(one, touch, home)));
}

/** A path is declared by its kind of access, or as this path or a folder above it. */
function isDeclared(one: Capability, touch: Touch, home: string): boolean {
  const needed = capabilityOf(touch);
  if (includesCapability(one, needed)) return true;
  if (touch.kind !== 'path' || !one.startsWith(`${needed}:`)) return false;
  const path = declaredPath(one.slice(needed.length + 1), home);
  const value = resolve(touch.value);
  return path !== undefined && isAbsolute(touch.value) && (value === path || value.startsWith(`${path}/`));
}

/** Nothing is left to resolve in it: what is judged is what is opened. */
function isWholePath({kind, value}: Touch): boolean {
  return kind === 'path' && isAbsolute(value) && resolve(value) === value;
}

/** What a plugin must declare to touch it. */
export function capabilityOf({kind, value, access}: Touch): Capability {
  if (kind === 'command') return 'process';
  if (kind === 'path') return access === 'read' ? 'fs:read' : access === 'write' ? 'fs:write' : 'process';
  try {
    return `net:${new URL(value).hostname}`;
  } catch {
    // No address that could be held against a host: only one who may reach every host may have it.
    return 'net:*';
  }
}
