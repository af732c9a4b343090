import {isAbsolute, resolve} from 'node:path';

/**
 * What a plugin says it reaches for: `fs:read`, `fs:write` (of a path: `fs:read:~/.config/x`), `process` (one program:
 * `run:git`), `net:<host>` (one port: `net:<host>:<port>`), `env:<NAME>` or `model`; `net:*` and `env:*` stand for any.
 */
export type Capability = string;

/**
 * Whether a declared or a forbidden capability includes a single one: `net:*` any host, `net:*.corp.example` those
 * below it, `fs:*` both of `fs`. A host without a port includes each port.
 */
export function includesCapability(wide: Capability, one: Capability): boolean {
  if (wide === one || wide === '*' || isKindOf(wide, one)) return true;
  const [kind = '', of = ''] = splitOnce(wide);
  const [oneKind = '', oneOf = ''] = splitOnce(one);
  if (kind !== oneKind || of === '') return false;
  return of === '*' || (kind === 'net' && includesHost(of, oneOf));
}

/** `fs:read` includes each path that is read, `process` each program. */
function isKindOf(wide: Capability, one: Capability): boolean {
  return wide === 'process' ? one.startsWith('run:') : wide.startsWith('fs:') && one.startsWith(`${wide}:`);
}

/** The path of `fs:read:<path>`, with `~/` for the home and perhaps `/**` at its end; undefined for what is no path. */
export function declaredPath(text: string, home: string): string | undefined {
  const path = text.replace(/\/\*\*$/, '').replace(/^~(?=\/)/, home);
  return isAbsolute(path) && !/[*?[{]/.test(path) && resolve(path) === path ? path : undefined;
}

function includesHost(wide: string, one: string): boolean {
  const [[host, port], [oneHost, onePort]] = [splitPort(wide), splitPort(one)];
  if (port !== undefined && port !== onePort) return false;
  return host === oneHost || (host.startsWith('*.') && oneHost.endsWith(host.slice(1)));
}

/** A host without what changes nothing of where it leads, such as case and the dot at its end; and its port. */
function splitPort(text: string): readonly [string, string | undefined] {
  const [, host = text, port] = /^(.*[\]a-z0-9_.*-]):(\d+)$/i.exec(text) ?? [];
  return [host.toLowerCase().replace(/\.$/, ''), port];
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
