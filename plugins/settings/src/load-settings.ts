import {lstatSync, realpathSync} from 'node:fs';
import {isKernelError, KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Layer} from './contract.js';
import {expandVariables} from './expand-variables.js';
import {fitValue, type Misfit} from './fit-value.js';
import {isObject, nest, splitKey, valueAt, type JSONObject} from './key-path.js';
import {mergeValues} from './merge-values.js';
import {migrateKeys} from './migrate-keys.js';
import {readOwnSettings, readSettings} from './settings-file.js';
import {findSettingsPlaces} from './settings-places.js';
import {childOf, defaultOf, readSettingsSchema, visitKeys, type SettingSchema} from './settings-schema.js';
import {tightenOnly} from './tighten-only.js';

interface SettingsLayer {
  readonly layer: Layer;
  readonly source?: string;
  readonly values: JSONObject;
  readonly managed?: true;
}

/** What one layer says about one top-level key. */
export interface SectionLayer {
  readonly layer: Layer;
  readonly source?: string;
  readonly value: unknown;
  /** Only an administrator, or who made the product, can have written it. */
  readonly managed?: true;
}

/** One top-level key: what the layers say, weakest first, and what comes of it. */
export interface Section {
  readonly layers: readonly SectionLayer[];
  readonly value: unknown;
  /** What comes of the managed layers alone. */
  readonly managed: unknown;
}

export interface LoadedSettings {
  readonly schema: SettingSchema;
  /** The top-level keys that files and flags set. */
  readonly names: readonly string[];
  /** Merged when first asked for: a start needs few of them. */
  section(name: string): Section;
}

/** Says why the project's settings file does not count; undefined when it does. */
export type FindObjection = (file: string) => Promise<string | undefined>;

const MAX_WARNINGS = 5;
/** Of this section no variable and no flag outranks the administrator's file. */
const SAFETY = 'security';

/**
 * Reads the files. Throws KernelError SETTINGS_BROKEN or SETTINGS_UNREADABLE; about values that do not fit, and system
 * files that are left out, it only warns.
 */
export async function loadSettings(
  environment: Environment,
  warn: (sentence: string) => void,
  findObjection: FindObjection,
): Promise<LoadedSettings> {
  const schema = readSettingsSchema();
  const {workspace} = findSettingsPlaces(environment);
  const objection = mayExist(workspace) ? await findObjection(workspace) : undefined;
  if (objection) warn(`The settings in ${workspace} do not count: ${objection}`);
  const files = await readFiles(environment, warn, objection === undefined);
  const misfits: string[] = [];
  const fitted = files.map(({values, ...file}) => {
    // Only remote administration sets `admin`.
    const {admin: _, ...effective} = migrateKeys(expandVariables(values, environment.variables) as JSONObject);
    return {...file, values: fit(effective, schema, file.source, misfits)};
  });
  const fromBundles = (layer: 'bundle' | 'enforced', bundles: Environment['bundles']): FileLayer[] =>
    bundleLayers(bundles, layer, warn).map((one) => ({...one, values: fit(one.values, schema, one.source, misfits)}));
  const [own, theirs] = [
    environment.bundles.filter(({origin}) => origin === 'user'),
    environment.bundles.filter(({origin}) => origin !== 'user'),
  ];
  const [defaults, enforced] = [fromBundles('bundle', environment.bundles), fromBundles('enforced', theirs)];
  // What a person's own bundle enforces stands above that person's files, never above the system's.
  const inOrder = [...fitted.filter(({layer}) => layer !== 'system'), ...fromBundles('enforced', own)];
  const system = fitted.filter(({layer}) => layer === 'system').map((layer) => ({...layer, managed: true as const}));
  warnOfMisfits(misfits, warn);
  const flags = flagLayers(environment.flags);
  const sections = new Map<string, Section>();
  return {
    schema,
    names: [
      ...new Set(
        [...defaults, ...inOrder, ...system, ...flags, ...enforced].flatMap(({values}) => Object.keys(values)),
      ),
    ],
    section(name) {
      const known = sections.get(name);
      if (known) return known;
      const child = childOf(schema, name);
      const layers = [
        {layer: 'default' as const, value: child && defaultOf(child)},
        ...pick(defaults, name),
        ...pick(inOrder, name),
        ...(name === SAFETY ? [] : pick(system, name)),
        ...readVariables(name, child, environment, warn),
        ...pick(flags, name),
        ...(name === SAFETY ? pick(system, name) : []),
        ...pick(enforced, name),
      ].filter(({value}) => value !== undefined);
      const merge = (some: readonly SectionLayer[]): unknown =>
        some.reduce<unknown>((weaker, {value}) => mergeValues(weaker, value, child), undefined);
      const section = {layers, value: merge(layers), managed: merge(layers.filter(({managed}) => managed))};
      sections.set(name, section);
      return section;
    },
  };
}

function pick(layers: readonly SettingsLayer[], name: string): SectionLayer[] {
  return layers.map(({values, ...origin}) => ({...origin, value: valueAt(values, [name])}));
}

/**
 * Variables are not put into them: whoever starts the program sets those. What a person applied cannot loosen what that
 * person decides alone.
 */
function bundleLayers(
  bundles: Environment['bundles'],
  layer: 'bundle' | 'enforced',
  warn: (sentence: string) => void,
): FileLayer[] {
  return bundles.flatMap(({name, origin, settings}) => {
    const written = layer === 'bundle' ? settings.defaults : settings.enforced;
    if (!written) return [];
    const [source, values] = [`bundle ${name}`, migrateKeys(written)];
    if (origin !== 'user') return [{layer, source, values, ...(layer === 'enforced' ? {managed: true as const} : {})}];
    const tight = tightenOnly(values);
    if (tight.left.length > 0)
      warn(`The ${source} says ${tight.left.join(', ')}, which only you can loosen: left out.`);
    return [{layer, source, values: tight.values}];
  });
}

function fit(values: JSONObject, schema: SettingSchema, source: string, sentences: string[]): JSONObject {
  const misfits: Misfit[] = [];
  const fitted = fitValue(values, schema, misfits);
  sentences.push(...misfits.map(({sentence}) => `${source}: ${sentence}; it is used all the same.`));
  return isObject(fitted) ? fitted : {};
}

interface FileLayer extends SettingsLayer {
  readonly source: string;
}

async function readFiles(
  environment: Environment,
  warn: (sentence: string) => void,
  withProject: boolean,
): Promise<FileLayer[]> {
  const places = findSettingsPlaces(environment);
  for (const name of places.unused)
    warn(`The variable ${name} is not used: the administrator of this machine has the file in its usual place.`);
  const readings = await Promise.allSettled([
    readSystem(places.systemDefaults, environment, warn),
    readOwnSettings(places.user, environment.home),
    !withProject || places.workspace === places.user ? undefined : readSettings(places.workspace),
    readSystem(places.system, environment, warn),
  ]);
  throwFailures(readings.flatMap((reading) => (reading.status === 'rejected' ? [reading.reason as unknown] : [])));
  const [systemDefaults, user, workspace, system] = readings.map((reading) =>
    reading.status === 'fulfilled' ? reading.value : undefined,
  );
  const isHome = user !== undefined && workspace !== undefined && isSameDirectory(environment.cwd, environment.home);
  const found: [Layer, string, JSONObject | undefined][] = [
    ['system-defaults', places.systemDefaults, systemDefaults],
    ['user', places.user, user],
    ['workspace', places.workspace, isHome ? undefined : workspace],
    ['system', places.system, system],
  ];
  return found.flatMap(([layer, source, values]) => (values ? [{layer, source, values}] : []));
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

async function readSystem(
  path: string,
  environment: Environment,
  warn: (sentence: string) => void,
): Promise<JSONObject | undefined> {
  if (!mayExist(path)) return undefined;
  const {readSystemSettings} = await import('./system-settings.js');
  const {values, fault} = await readSystemSettings(path, environment);
  if (fault) warn(`The system settings in ${path} are left out: ${fault}.`);
  return values;
}

function mayExist(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
  } catch {
    // What hinders this look hinders the reading too, which says why.
    return true;
  }
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1 || !failures.every(isKernelError)) throw failures[0];
  const [{code = 'SETTINGS_BROKEN', hint} = {}] = failures;
  throw new KernelError(code, failures.map(({message}) => message).join('\n'), {
    hint,
    cause: new AggregateError(failures),
    data: failures.map(({data}) => data),
  });
}

function readVariables(
  name: string,
  schema: SettingSchema | undefined,
  {variables}: Environment,
  warn: (sentence: string) => void,
): SectionLayer[] {
  const layers: SectionLayer[] = [];
  visitKeys({properties: schema ? {[name]: schema} : {}}, (path, child) => {
    const source = [child['x-env'] ?? []].flat().find((variable) => variables[variable]);
    const text = source && variables[source];
    if (!source || !text) return;
    const misfits: Misfit[] = [];
    const value = fitValue(child.type === 'boolean' ? /^(?:true|1)$/i.test(text) : text, child, misfits, path);
    misfits.forEach(({sentence}) => warn(`${source}: ${sentence}; it is used all the same.`));
    layers.push({layer: 'environment', source, value: nest(path.slice(1), value)});
  });
  return layers;
}

function flagLayers(flags: Environment['flags']): SettingsLayer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({layer: 'flag', values: nest(splitKey(key), value) as JSONObject}));
}

function warnOfMisfits(sentences: readonly string[], warn: (sentence: string) => void): void {
  const shown = sentences.length > MAX_WARNINGS ? MAX_WARNINGS - 1 : sentences.length;
  sentences.slice(0, shown).forEach(warn);
  if (shown < sentences.length)
    warn(`${sentences.length - shown} more settings do not fit; gemini settings explain <key> says what a key takes.`);
}
