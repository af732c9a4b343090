import {basename} from 'node:path';
import {isTable} from '../config/is-table.js';
import type {FoundServer} from './found-server.js';

/** Keys that mean the same here. */
const SAME = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'timeout', 'description', 'oauth'];
/** Keys of others that only say how their own program treats a server. */
const IDLE = new Set(['disabled', 'envFile', 'dev', 'gallery', 'version', 'enabled']);
/** Keys that run tools without a question. Only the person decides that, and here. */
const LOOSE = new Set(['trust', 'autoApprove', 'alwaysAllow']);

/** An entry of a JSON configuration, with its variables in our spelling. */
export function convertEntry(name: string, given: unknown, cwd: string): FoundServer | undefined {
  if (!isTable(given)) return undefined;
  const notes: string[] = [];
  const entry = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => SAME.includes(key))
      .map(([key, value]) => [key, convertValue(value, {notes, cwd})]),
  );
  if (entry['type'] === 'stdio') delete entry['type'];
  if (entry['type'] === 'streamable-http' || entry['type'] === 'streamableHttp') entry['type'] = 'http';
  const loose = Object.keys(given).filter((key) => LOOSE.has(key));
  if (loose.length > 0) notes.push(`${loose.join(', ')} is left out: its tools are asked about.`);
  const unknown = Object.keys(given).filter((key) => !SAME.includes(key) && !IDLE.has(key) && !LOOSE.has(key));
  if (unknown.length > 0) notes.push(`${unknown.join(', ')} has no counterpart and is left out.`);
  if (given['envFile'] !== undefined) notes.push('envFile is left out: put its variables into env.');
  if (given['disabled'] === true || given['enabled'] === false)
    notes.push(`It is disabled there: ${disableHint(name)}.`);
  return {name, entry, notes: [...new Set(notes)]};
}

function disableHint(name: string): string {
  return `\`gemini mcp disable ${name}\` does the same`;
}

/** All entries of an object of servers. */
export function convertEntries(servers: unknown, cwd: string): readonly FoundServer[] {
  if (!isTable(servers)) return [];
  return Object.entries(servers).flatMap(([name, given]) => convertEntry(name, given, cwd) ?? []);
}

interface Means {
  readonly notes: string[];
  /** The folder of the project: a server of the person is used in every folder, so that it stands written out. */
  readonly cwd: string;
}

function convertValue(value: unknown, means: Means): unknown {
  if (typeof value === 'string') return convertText(value, means);
  if (Array.isArray(value)) return value.map((one) => convertValue(one, means));
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, convertValue(one, means)] as const));
}

/** Names of variables stay names: no value of this machine is written into settings. */
function convertText(text: string, {notes, cwd}: Means): string {
  return text.replaceAll(/\$\{(?:(env|input):)?([^}]*)\}/g, (whole, kind: string | undefined, inner: string) => {
    if (kind === 'env') return `\${${inner}}`;
    if (kind === 'input') {
      const variable = inner.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
      notes.push(`It asks for "${inner}" there; set the variable ${variable} instead.`);
      return `\${${variable}}`;
    }
    if (inner === 'workspaceFolder') return cwd;
    if (inner === 'workspaceFolderBasename') return basename(cwd);
    if (inner === 'userHome') return '${HOME}';
    return whole;
  });
}
