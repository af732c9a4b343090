import {basename, join} from 'node:path';
import {isTable} from '../config/is-table.js';
import {convertCodex} from './convert-codex.js';
import {convertEntries} from './convert-entry.js';
import type {Format, FoundServer} from './found-server.js';
import {parseJsonc} from './parse-jsonc.js';

/** The programs whose configuration can be taken over. */
export const formats: readonly Format[] = [
  {
    program: 'Claude Code',
    files: ({home, cwd}) => [join(cwd, '.mcp.json'), join(home, '.claude.json')],
    matches: (file) => ['.mcp.json', '.claude.json'].includes(basename(file)),
    read: (text, {cwd}) => {
      const whole = readTable(text);
      const projects = isTable(whole['projects']) ? whole['projects'] : {};
      const own = isTable(projects[cwd]) ? projects[cwd]['mcpServers'] : undefined;
      return [...convertEntries(whole['mcpServers'], cwd), ...convertEntries(own, cwd)];
    },
  },
  {
    program: 'Cursor',
    files: ({home, cwd}) => [join(cwd, '.cursor', 'mcp.json'), join(home, '.cursor', 'mcp.json')],
    matches: (file) => /[\\/]\.cursor[\\/]mcp\.json$/.test(file),
    read: (text, {cwd}) => convertEntries(readTable(text)['mcpServers'], cwd),
  },
  {
    program: 'VS Code',
    files: ({cwd}) => [join(cwd, '.vscode', 'mcp.json')],
    matches: (file) => /[\\/]\.vscode[\\/]mcp\.json$/.test(file),
    read: (text, {cwd}) => convertEntries(readTable(text)['servers'], cwd),
  },
  {
    program: 'Codex',
    files: ({home}) => [join(home, '.codex', 'config.toml')],
    matches: (file) => file.endsWith('.toml'),
    read: convertCodex,
  },
];

/** Reads a file of any program by what is in it: `mcpServers` or `servers`. */
export function readAnyJson(text: string, cwd: string): readonly FoundServer[] {
  const whole = readTable(text);
  return convertEntries(whole['mcpServers'] ?? whole['servers'] ?? whole, cwd);
}

function readTable(text: string): Readonly<Record<string, unknown>> {
  const value = parseJsonc(text);
  if (isTable(value)) return value;
  throw new Error('it holds no object');
}
