import {isTable} from '../config/is-table.js';
import type {FoundServer} from './found-server.js';

type Table = Readonly<Record<string, unknown>>;

/** Keys that mean the same here. */
const SAME = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'timeout', 'description', 'oauth', 'trust'];
/** Keys of others that only say how their own program treats a server. */
const IDLE = new Set(['disabled', 'autoApprove', 'alwaysAllow', 'envFile', 'dev', 'gallery', 'version', 'enabled']);

/** An entry of a JSON configuration, with its variables in our spelling. */
export function convertEntry(name: string, given: unknown): FoundServer | undefined {
  if (!isTable(given)) return undefined;
  const notes: string[] = [];
  const entry = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => SAME.includes(key))
      .map(([key, value]) => [key, convertValue(value, notes)]),
  );
  if (entry['type'] === 'stdio') delete entry['type'];
  if (entry['type'] === 'streamable-http' || entry['type'] === 'streamableHttp') entry['type'] = 'http';
  const unknown = Object.keys(given).filter((key) => !SAME.includes(key) && !IDLE.has(key));
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
export function convertEntries(servers: unknown): readonly FoundServer[] {
  if (!isTable(servers)) return [];
  return Object.entries(servers).flatMap(([name, given]) => convertEntry(name, given) ?? []);
}

function convertValue(value: unknown, notes: string[]): unknown {
  if (typeof value === 'string') return convertText(value, notes);
  if (Array.isArray(value)) return value.map((one) => convertValue(one, notes));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, Table[string]]) => [key, convertValue(one, notes)]),
  );
}

/** Names of variables stay names: no value of this machine is written into settings. */
function convertText(text: string, notes: string[]): string {
  return text.replaceAll(/\$\{(?:(env|input):)?([^}]*)\}/g, (whole, kind: string | undefined, inner: string) => {
    if (kind === 'env') return `\${${inner}}`;
    if (kind === 'input') {
      const variable = inner.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
      notes.push(`It asks for "${inner}" there; set the variable ${variable} instead.`);
      return `\${${variable}}`;
    }
    if (/^workspaceFolder/.test(inner)) return '.';
    if (inner === 'userHome') return '${HOME}';
    const [, variable, fallback] = /^(\w+):-(.*)$/s.exec(inner) ?? [];
    if (variable === undefined) return whole;
    notes.push(`Without the variable ${variable} it uses ${JSON.stringify(fallback)} there; set the variable.`);
    return `\${${variable}}`;
  });
}
