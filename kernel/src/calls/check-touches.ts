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

/** A touch that only an optional capability covers. */
export interface Wished {
  readonly touch: Touch;
  readonly capability: Capability;
}

/**
 * The optional capabilities that a tool of an installed plugin needs for what it touches. Throws KernelError
 * CAPABILITY_UNDECLARED for what its plugin does not declare at all, and TypeError when what a tool marks as its
 * subject is not one whole path.
 */
export function checkTouches(plugin: CatalogPlugin | undefined, {tool, touches, home}: Touched): readonly Wished[] {
  const [subject, another] = touches.filter(({isSubject}) => isSubject);
  if (another) throw new TypeError(`${tool} marks two touches as its subject: ${subject?.value}, ${another.value}.`);
  if (subject && !isWholePath(subject))
    throw new TypeError(`${tool} marks ${subject.value} as its subject, which is not an absolute, normal path.`);
  if (!plugin || plugin.origin === 'core') return [];
  const {name, capabilities = [], optional = []} = plugin.manifest;
  const wished = new Map<Capability, Wished>();
  for (const touch of touches) {
    if (findUndeclared([touch], capabilities, home) === undefined) continue;
    const capability = optional.find((one) => isDeclared(one, touch, home));
    if (capability === undefined) throw undeclared(tool, name, touch);
    wished.set(capability, {touch, capability});
  }
  return [...wished.values()];
}

function undeclared(tool: string, plugin: string, touch: Touch): KernelError {
  return new KernelError(
    'CAPABILITY_UNDECLARED',
    `${tool} of ${plugin} reaches for ${capabilityOf(touch)}, which its plugin does not declare.`,
    {hint: 'Its author must add it to gemini.capabilities in package.json; users approve it when they install.'},
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

/**
 * A path is declared by its kind of access, or as this path or a folder above it; a command by its program, if all of
 * it is plain words; an address by its host, with the port where one is declared.
 */
function isDeclared(one: Capability, touch: Touch, home: string): boolean {
  const needed = capabilityOf(touch);
  if (includesCapability(one, needed)) return true;
  if (touch.kind === 'command') return one.startsWith('run:') && one.slice('run:'.length) === programOf(touch.value);
  if (touch.kind === 'url') return includesCapability(one, `${needed}:${portOf(touch.value)}`);
  if (touch.kind !== 'path' || !one.startsWith(`${needed}:`)) return false;
  const path = declaredPath(one.slice(needed.length + 1), home);
  const value = resolve(touch.value);
  return path !== undefined && isAbsolute(touch.value) && (value === path || value.startsWith(`${path}/`));
}

/** Of a line in which no character means anything to a shell; undefined for any other. */
function programOf(line: string): string | undefined {
  return /^[\w./:@%+,-]+( +[\w./:@%+,=-]+)*$/.test(line) ? line.split(' ')[0] : undefined;
}

function portOf(address: string): string {
  const {port, protocol} = URL.canParse(address) ? new URL(address) : {port: '', protocol: ''};
  return port === '' ? (({'http:': '80', 'ws:': '80'} as Record<string, string>)[protocol] ?? '443') : port;
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
