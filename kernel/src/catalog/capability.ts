import {isAbsolute, resolve} from 'node:path';

/**
 * What a plugin says it reaches for: `fs:read`, `fs:write` (of a path: `fs:read:~/.config/x`), `process`, `net:<host>`,
 * `env:<NAME>` or `model`; `net:*` and `env:*` stand for any.
 */
export type Capability = string;

/**
 * Whether a declared or a forbidden capability includes a single one: `net:*` any host, `net:*.corp.example` those
 * below it, `fs:*` both of `fs`.
 */
export function includesCapability(wide: Capability, one: Capability): boolean {
  if (wide === one || wide === '*' || isPathOf(wide, one)) return true;
  const [kind = '', of = ''] = splitOnce(wide);
  const [oneKind = '', oneOf = ''] = splitOnce(one);
  if (kind !== oneKind || of === '') return false;
  return of === '*' || (kind === 'net' && includesHost(plainHost(of), plainHost(oneOf)));
}

/** `fs:read` includes each path that is read. */
function isPathOf(wide: Capability, one: Capability): boolean {
  return wide.startsWith('fs:') && one.startsWith(`${wide}:`);
}

/** The path of `fs:read:<path>`, with `~/` for the home and perhaps `/**` at its end; undefined for what is no path. */
export function declaredPath(text: string, home: string): string | undefined {
  const path = text.replace(/\/\*\*$/, '').replace(/^~(?=\/)/, home);
  return isAbsolute(path) && !/[*?[{]/.test(path) && resolve(path) === path ? path : undefined;
}

function includesHost(wide: string, host: string): boolean {
  return wide === host || (wide.startsWith('*.') && host.endsWith(wide.slice(1)));
}

/** A host without what changes nothing of where it leads: case, the dot at its end, a port. */
function plainHost(text: string): string {
  return text
    .toLowerCase()
    .replace(/(?<=[\]a-z0-9_.-]):\d+$/, '')
    .replace(/\.$/, '');
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
