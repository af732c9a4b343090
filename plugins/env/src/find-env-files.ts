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

/** A file with such a variable says which model is asked, and by which key. */
const OF_MODELS = /^(?:GEMINI|GOOGLE|OPENAI|CLOUD)_/;

/** Such a file has a few lines. */
const LARGEST = 2 ** 20;

/** A `.env` file that counts, and what it sets. */
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

/**
 * Finds the `.env` files that count, the nearest first: one, or that of a project and the person's own, if the
 * project's says nothing about models. Warns of each that is left out.
 */
export async function findEnvFiles(sources: EnvSources): Promise<readonly EnvFile[]> {
  const {cwd, home} = sources.environment;
  const read = await reader(sources);
  let project: EnvFile | undefined;
  for (const candidate of candidates(cwd, home)) {
    if (project && !candidate.isPersons) continue;
    const values = await read(candidate);
    if (values === undefined) continue;
    const file = {path: candidate.path, isProject: !candidate.isPersons, values};
    if (!file.isProject) return project ? [await keepKeysHome(project, sources, file), file] : [file];
    if ([...values.keys()].some((name) => OF_MODELS.test(name))) return [await keepKeysHome(file, sources)];
    if (values.size > 0) project = file;
  }
  return project ? [await keepKeysHome(project, sources)] : [];
}

interface Candidate {
  readonly path: string;
  /** Whether it is a file of this program alone. */
  readonly isOwn: boolean;
  /** In the home directory: the person's in every folder, also in one that is not trusted. */
  readonly isPersons: boolean;
}

type Reader = (candidate: Candidate) => Promise<ReadonlyMap<string, string> | undefined>;

/** Reads what a file may set; undefined for one that is not there, or does not count. */
async function reader(sources: EnvSources): Promise<Reader> {
  const {settings, trust, tell} = sources;
  const isTrusted = await trust.may('env-file');
  const isLocalIgnored = (await settings.get('advanced.ignoreLocalEnv')) === true;
  const excluded = asList(await settings.get('advanced.excludedEnvVars'));
  return async ({path, isOwn, isPersons}) => {
    if (!isPersons && (isOwn ? !isTrusted : isLocalIgnored)) return undefined;
    const text = await readIfThere(path, tell);
    if (text === undefined || isStrangers(path, sources)) return undefined;
    return restrict(readEnv(text), {isTrusted: isTrusted || isPersons, excluded: isOwn ? [] : excluded});
  };
}

/** A project's file without what would decide where a key of the person's goes, of their file too. */
async function keepKeysHome(
  project: EnvFile,
  {environment, settings, tell}: EnvSources,
  persons?: EnvFile,
): Promise<EnvFile> {
  const own = await settings.getApart('openai.apiKeyVariable');
  const keys = [...KEYS, ...(typeof own === 'string' ? [own] : [])];
  const key = keys.find((name) => environment.variables[name] || persons?.values.get(name));
  const dropped = key === undefined ? [] : DESTINATIONS.filter((name) => project.values.has(name));
  for (const name of dropped)
    tell({
      code: 'VARIABLE_LEFT_OUT',
      sentence:
        `${project.path} sets ${name}, which would decide where your ${key ?? ''} goes. It does not count; set both ` +
        'in one place.',
    });
  return {...project, values: new Map([...project.values].filter(([name]) => !dropped.includes(name)))};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * From the folder upward; at each level the product's own file comes first. The home directory comes last in any case.
 */
function candidates(cwd: string, home: string): readonly Candidate[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return [...new Set([...folders, home])].flatMap((folder) => [
    {path: join(folder, '.gemini', '.env'), isOwn: true, isPersons: folder === home},
    {path: join(folder, '.env'), isOwn: false, isPersons: folder === home},
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
