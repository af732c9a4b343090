import {realpathSync, statSync} from 'node:fs';
import {posix, win32} from 'node:path';
import {isKernelError, KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Layer} from './contract.js';
import {expandVariables} from './expand-variables.js';
import {fitValue, type Misfit} from './fit-value.js';
import {isObject, nest, splitKey, type JSONObject} from './key-path.js';
import {mergeValues} from './merge-values.js';
import {migrateKeys} from './migrate-keys.js';
import {readSettings} from './settings-file.js';
import {readDefaults, readSettingsSchema, type SettingSchema, type VariableKey} from './settings-schema.js';

/** What one file, one variable or one flag says. */
export interface SettingsLayer {
  readonly layer: Layer;
  readonly source?: string;
  readonly values: JSONObject;
}

export interface LoadedSettings {
  readonly schema: SettingSchema;
  /** Weakest first. */
  readonly layers: readonly SettingsLayer[];
  readonly merged: unknown;
  /** What went on all the same, one line each. */
  readonly warnings: readonly string[];
}

/** The four files that hold settings. */
export interface SettingsPlaces {
  readonly systemDefaults: string;
  readonly user: string;
  readonly workspace: string;
  readonly system: string;
}

const SYSTEM_FILES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Library/Application Support/GeminiCli/settings.json',
  win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
};
const MAX_WARNINGS = 5;

/** Where each file lies, on any platform. */
export function findSettingsPlaces({cwd, home, platform, variables}: Pick<Environment, 'cwd' | 'home' | 'platform' | 'variables'>): SettingsPlaces {
  const {dirname, join} = platform === 'win32' ? win32 : posix;
  const system = variables['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] || (SYSTEM_FILES[platform] ?? '/etc/gemini-cli/settings.json');
  return {
    systemDefaults: variables['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] || join(dirname(system), 'system-defaults.json'),
    user: join(home, '.gemini', 'settings.json'),
    workspace: join(cwd, '.gemini', 'settings.json'),
    system,
  };
}

/** Reads every layer and merges them. Throws KernelError SETTINGS_BROKEN or SETTINGS_UNREADABLE; misfitting values only lead to warnings. */
export async function loadSettings(environment: Environment): Promise<LoadedSettings> {
  const schema = readSettingsSchema();
  const variableKeys: VariableKey[] = [];
  const defaults = readDefaults(schema, variableKeys);
  const files = await readFiles(environment);
  const misfits: (Misfit & {readonly source: string})[] = [];
  const fit = (values: unknown, source: string): JSONObject => {
    const found: Misfit[] = [];
    const fitted = fitValue(values, schema, found);
    misfits.push(...found.map((misfit) => ({...misfit, source})));
    return isObject(fitted) ? fitted : {};
  };
  const fileLayers: SettingsLayer[] = [];
  for (const {layer, source, values} of files.read) {
    const expanded = expandVariables(values, environment.variables);
    // Only remote administration sets `admin`.
    const {admin: _, ...effective} = migrateKeys(expanded as JSONObject);
    fileLayers.push({layer, source, values: fit(effective, source)});
  }
  const layers: SettingsLayer[] = [
    {layer: 'default', values: defaults},
    ...fileLayers,
    ...variableLayers(variableKeys, environment.variables).map((layer) => ({...layer, values: fit(layer.values, layer.source)})),
    ...flagLayers(environment.flags),
  ];
  const merged = layers.reduce<unknown>((weaker, {values}) => mergeValues(weaker, values, schema), {});
  return {schema, layers, merged, warnings: [...files.warnings, ...misfitWarnings(misfits)]};
}

interface FileLayer extends SettingsLayer {
  readonly source: string;
}

async function readFiles(environment: Environment): Promise<{read: FileLayer[]; warnings: string[]}> {
  const places = findSettingsPlaces(environment);
  const warnings: string[] = [];
  const readings = await Promise.allSettled([
    readSystem(places.systemDefaults, environment, warnings),
    readSettings(places.user),
    places.workspace === places.user ? undefined : readSettings(places.workspace),
    readSystem(places.system, environment, warnings),
  ]);
  throwFailures(readings.flatMap((reading) => (reading.status === 'rejected' ? [reading.reason as unknown] : [])));
  const [systemDefaults, user, workspace, system] = readings.map((reading) => (reading.status === 'fulfilled' ? reading.value : undefined));
  const isHome = user !== undefined && workspace !== undefined && isSameDirectory(environment.cwd, environment.home);
  const found: [Layer, string, JSONObject | undefined][] = [
    ['system-defaults', places.systemDefaults, systemDefaults],
    ['user', places.user, user],
    ['workspace', places.workspace, isHome ? undefined : workspace],
    ['system', places.system, system],
  ];
  return {read: found.flatMap(([layer, source, values]) => (values ? [{layer, source, values}] : [])), warnings};
}

/** Whether two paths are one directory, whatever they are spelled like. */
export function isSameDirectory(a: string, b: string): boolean {
  return a === b || findRealPath(a) === findRealPath(b);
}

function findRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A directory that is not there is no other one.
    return path;
  }
}

async function readSystem(path: string, environment: Environment, warnings: string[]): Promise<JSONObject | undefined> {
  if (!mayExist(path)) return undefined;
  const {readSystemSettings} = await import('./system-settings.js');
  const {values, fault} = await readSystemSettings(path, environment);
  if (fault) warnings.push(`The system settings in ${path} are left out: ${fault}.`);
  return values;
}

function mayExist(path: string): boolean {
  try {
    return statSync(path, {throwIfNoEntry: false}) !== undefined;
  } catch {
    // What hinders this look hinders the reading too, which says why.
    return true;
  }
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1 || !failures.every(isKernelError)) throw failures[0];
  const [{code = 'SETTINGS_BROKEN', hint} = {}] = failures;
  throw new KernelError(code, failures.map(({message}) => message).join('\n'), {hint, cause: new AggregateError(failures), data: failures.map(({data}) => data)});
}

function variableLayers(keys: readonly VariableKey[], variables: Environment['variables']): FileLayer[] {
  return keys.flatMap(({path, isBoolean, names}) => {
    const source = names.find((name) => variables[name]);
    const text = source && variables[source];
    if (!source || !text) return [];
    const value = isBoolean ? /^(?:true|1)$/i.test(text) : text;
    return [{layer: 'environment' as const, source, values: nest(path, value) as JSONObject}];
  });
}

function flagLayers(flags: Environment['flags']): SettingsLayer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({layer: 'flag' as const, values: nest(splitKey(key), value) as JSONObject}));
}

function misfitWarnings(misfits: readonly (Misfit & {readonly source: string})[]): string[] {
  const lines = misfits.map(({source, sentence}) => `${source}: ${sentence}; it is used all the same.`);
  if (lines.length <= MAX_WARNINGS) return lines;
  const shown = MAX_WARNINGS - 1;
  return [...lines.slice(0, shown), `${lines.length - shown} more settings do not fit; gemini settings explain <key> says what a key takes.`];
}
