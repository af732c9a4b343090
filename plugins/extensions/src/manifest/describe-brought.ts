import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Brought} from '../contract.js';
import {variablesOf} from './fill-variables.js';
import {findContextFiles} from './find-context-files.js';
import {isTable} from './is-table.js';
import {readHooks} from './read-hooks.js';
import type {Manifest} from './read-manifest.js';

/** Stands for the event of hooks that cannot be read. */
export const UNREADABLE = 'unreadable';
/** Entries of a folder that are looked at. */
const MOST = 2000;

/** Everything that an extension brings. A person reads it before they agree, so nothing of it is left out. */
export async function describeBrought(folder: string, manifest: Manifest): Promise<Brought> {
  const hooks = await listHooks(folder);
  const agents = await listAgents(folder);
  const {files} = findContextFiles(folder, manifest);
  return {
    contextFiles: files,
    servers: Object.entries(manifest.servers).map(([name, server]) => ({name, target: targetOf(server)})),
    excludedTools: manifest.excludedTools,
    commands: (await listFiles(join(folder, 'commands'), '.toml')).map((path) =>
      path.slice(0, -5).replaceAll('/', ':'),
    ),
    skills: await listSkills(folder),
    hooks,
    policies: (await listFiles(join(folder, 'policies'), '.toml')).filter((path) => !path.includes('/')),
    themes: manifest.themes.map(({name}) => name),
    settings: manifest.settings,
    variables: variablesOf(manifest.servers),
    ...(manifest.planFolder === undefined ? {} : {planFolder: manifest.planFolder}),
    agents,
  };
}

function targetOf({command, args, url, httpUrl}: Readonly<Record<string, unknown>>): string {
  const address = httpUrl ?? url;
  if (typeof address === 'string') return address;
  return [command, ...(Array.isArray(args) ? args : [])].map(String).join(' ');
}

/** Paths of files with an ending below a folder, with forward slashes. */
async function listFiles(folder: string, ending: string): Promise<readonly string[]> {
  const found = await readdir(folder, {recursive: true}).catch(() => []);
  return found
    .slice(0, MOST)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending))
    .sort();
}

/** Agents by the names of their files, as Gemini CLI finds them. */
async function listAgents(folder: string): Promise<readonly string[]> {
  const found = await listFiles(join(folder, 'agents'), '.md');
  return found.filter((path) => !path.includes('/') && !path.startsWith('_')).map((path) => path.slice(0, -3));
}

async function listSkills(folder: string): Promise<readonly string[]> {
  const found = await readdir(join(folder, 'skills'), {withFileTypes: true}).catch(() => []);
  if (found.some(({name}) => name === 'SKILL.md')) return ['SKILL.md'];
  const folders = found.filter((entry) => !entry.isFile()).slice(0, MOST);
  const files = await Promise.all(
    folders.map(({name}) => stat(join(folder, 'skills', name, 'SKILL.md')).catch(() => undefined)),
  );
  return folders.flatMap(({name}, index) => (files[index]?.isFile() ? [name] : [])).sort();
}

/** The commands of `hooks/hooks.json`, of any form. */
async function listHooks(folder: string): Promise<Brought['hooks']> {
  const reading = readHooks(folder, 'linux');
  if ('fault' in reading) return [{event: UNREADABLE, command: reading.fault}];
  return Object.entries(reading.hooks ?? {}).flatMap(([event, definitions]) =>
    (Array.isArray(definitions) ? definitions.filter(isTable) : []).flatMap(({hooks}) =>
      (Array.isArray(hooks) ? hooks.filter(isTable) : []).map(({command}) => ({event, command: String(command)})),
    ),
  );
}
