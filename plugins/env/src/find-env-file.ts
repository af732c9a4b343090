import {dirname, join} from 'node:path';
import {findForeignOwner, findForeignWriter, isFileFault, readText} from '@gemini-kernel/files';
import type {Environment, Tell} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import {readEnv} from './read-env.js';

/** What an untrusted folder may set, with the characters that such a value may have. */
const HARMLESS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'];
const BEYOND = /[^A-Za-z0-9_./-]/g;

/** Where a key goes, or what goes along with it. A project's file must not choose that for a key of the person's. */
const DESTINATIONS = [
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'OPENAI_BASE_URL',
  'GEMINI_CLI_CUSTOM_HEADERS',
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'NO_PROXY',
  'no_proxy',
];
const KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_API_KEY'];

/** Such a file has a few lines. */
const LARGEST = 2 ** 20;

/** The `.env` file that counts, and what it sets. */
export interface EnvFile {
  readonly path: string;
  readonly isProject: boolean;
  readonly values: ReadonlyMap<string, string>;
}

export interface EnvSources {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'variables'>;
  readonly tell: Tell;
  readonly settings: Settings;
  readonly trust: Trust;
}

/** Finds the nearest `.env` file that may be read; undefined when there is none. Warns of each that is left out. */
export async function findEnvFile(sources: EnvSources): Promise<EnvFile | undefined> {
  const {environment, settings, trust, tell} = sources;
  const isTrusted = await trust.may('env-file');
  const isLocalIgnored = (await settings.get('advanced.ignoreLocalEnv')) === true;
  for (const {path, isOwn} of candidates(environment.cwd, environment.home)) {
    if (isOwn && !isTrusted) continue;
    if (!isOwn && isLocalIgnored && dirname(path) !== environment.home) continue;
    const text = await readIfThere(path, tell);
    if (text === undefined || isStrangers(path, sources)) continue;
    const excluded = isOwn ? [] : asList(await settings.get('advanced.excludedEnvVars'));
    const values = restrict(readEnv(text), {isTrusted, excluded});
    const isPersons = [environment.home, join(environment.home, '.gemini')].includes(dirname(path));
    return {path, isProject: !isPersons, values: isPersons ? values : await keepKeysHome(path, values, sources)};
  }
  return undefined;
}

async function keepKeysHome(
  path: string,
  values: ReadonlyMap<string, string>,
  {environment, settings, tell}: EnvSources,
): Promise<ReadonlyMap<string, string>> {
  const own = await settings.getApart('openai.apiKeyVariable');
  const key = [...KEYS, ...(typeof own === 'string' ? [own] : [])].find((name) => environment.variables[name]);
  const dropped = key === undefined ? [] : DESTINATIONS.filter((name) => values.has(name));
  for (const name of dropped)
    tell({
      code: 'VARIABLE_LEFT_OUT',
      sentence:
        `${path} sets ${name}, which would decide where your ${key ?? ''} goes. It does not count; set both in ` +
        'one place.',
    });
  return new Map([...values].filter(([name]) => !dropped.includes(name)));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * From the folder upward; at each level the product's own file comes first. The home directory comes last in any case.
 */
function candidates(cwd: string, home: string): readonly {readonly path: string; readonly isOwn: boolean}[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return [...new Set([...folders, home])].flatMap((folder) => [
    {path: join(folder, '.gemini', '.env'), isOwn: true},
    {path: join(folder, '.env'), isOwn: false},
  ]);
}

async function readIfThere(path: string, tell: Tell): Promise<string | undefined> {
  try {
    return await readText(path, {limit: LARGEST});
  } catch (error) {
    const {code = '', message} = error as NodeJS.ErrnoException;
    // A folder of that name (a Python environment, say) is not meant.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) return undefined;
    const sentence = isFileFault(error) ? `${message}; it is left out.` : `Cannot read ${path}: ${message}`;
    tell({code: 'ENV_FILE_LEFT_OUT', sentence});
    return undefined;
  }
}

/** Whether someone else may have written a file, of which the person is warned. */
function isStrangers(path: string, {environment, tell}: EnvSources): boolean {
  const objection = findStranger(path, environment);
  if (objection !== undefined) tell({code: 'ENV_FILE_LEFT_OUT', sentence: `${path} is left out: ${objection}`});
  return objection !== undefined;
}

/** Why someone else may have written a file, with what to do; what a project brings is judged by trust. */
function findStranger(path: string, {cwd, home}: Pick<Environment, 'cwd' | 'home'>): string | undefined {
  if ([home, join(home, '.gemini')].includes(dirname(path))) {
    const writer = findForeignWriter(path, {home});
    return writer && `${writer.reason.replace(/^it/, writer.path)}. Look at what it says, then run: ${writer.repair}`;
  }
  const owner = findForeignOwner(path, cwd);
  return owner && `${owner.reason}.`;
}

function restrict(
  values: ReadonlyMap<string, string>,
  {isTrusted, excluded}: {isTrusted: boolean; excluded: readonly unknown[]},
): ReadonlyMap<string, string> {
  const kept = [...values].filter(([name]) => !excluded.includes(name) && (isTrusted || HARMLESS.includes(name)));
  return new Map(isTrusted ? kept : kept.map(([name, value]) => [name, value.replace(BEYOND, '')]));
}
