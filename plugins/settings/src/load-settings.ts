import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';
import type {Layer, SettingFault} from './contract.js';
import {expandVariables} from './expand-variables.js';
import {fitLayer, warnOfMisfits} from './fit-layer.js';
import {fitValue, type Misfit} from './fit-value.js';
import {nest, splitKey, valueAt, type JSONObject} from './key-path.js';
import type {KnownSettings} from './known-settings.js';
import {mergeValues} from './merge-values.js';
import {migrateKeys} from './migrate-keys.js';
import {mayExist, readFiles, type FileLayer, type SettingsLayer} from './read-files.js';
import {findSettingsPlaces} from './settings-places.js';
import {childOf, defaultOf, visitKeys, type SettingSchema} from './settings-schema.js';
import {tightenOnly} from './tighten-only.js';

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
  /** What files and bundles say that does not fit, or that nothing reads. */
  readonly faults: readonly SettingFault[];
  /** The top-level keys that files and flags set. */
  readonly names: readonly string[];
  /** Merged when first asked for: a start needs few of them. */
  section(name: string): Section;
}

/** Says why the project's settings file does not count; undefined when it does. */
export type FindObjection = (file: string) => Promise<string | undefined>;

/** Of this section no variable and no flag outranks the administrator's file. */
const SAFETY = 'security';

interface Sources {
  readonly environment: Environment;
  /** Those in force, the strongest last. */
  readonly bundles: readonly ActiveBundle[];
  readonly known: KnownSettings;
  warn(sentence: string): void;
  readonly findObjection: FindObjection;
}

/**
 * Reads the files. Throws KernelError SETTINGS_BROKEN or SETTINGS_UNREADABLE; about values that do not fit, and system
 * files that are left out, it only warns.
 */
export async function loadSettings({
  known: all,
  environment,
  bundles,
  warn,
  findObjection,
}: Sources): Promise<LoadedSettings> {
  const {schema} = all;
  all.left.forEach(warn);
  const {workspace} = findSettingsPlaces(environment);
  const objection = mayExist(workspace) ? await findObjection(workspace) : undefined;
  if (objection) warn(`The settings in ${workspace} do not count: ${objection}`);
  const files = await readFiles(environment, warn, objection === undefined);
  const faults: SettingFault[] = [];
  const fit = (layer: FileLayer): FileLayer => fitLayer(layer, all, faults);
  const order = orderLayers(files.map(withoutAdmin(environment)), {environment, bundles, warn, fit});
  warnOfMisfits(faults, warn);
  const known = new Map<string, Section>();
  return {
    schema,
    faults,
    names: namesIn([order.defaults, order.files, order.system, order.flags, order.enforced]),
    section(name) {
      const section = known.get(name) ?? readSection(name, order, {child: childOf(schema, name), environment, warn});
      known.set(name, section);
      return section;
    },
  };
}

/** A file's values with variables put in. Only remote administration sets `admin`. */
function withoutAdmin({variables}: Environment): (layer: FileLayer) => FileLayer {
  return ({values, ...file}) => {
    const {admin: _, ...effective} = migrateKeys(expandVariables(values, variables) as JSONObject);
    return {...file, values: effective};
  };
}

/** All layers, weakest first; variables come between `system` and `flags`. */
interface LayerOrder {
  readonly defaults: readonly SettingsLayer[];
  readonly files: readonly SettingsLayer[];
  readonly system: readonly SettingsLayer[];
  readonly flags: readonly SettingsLayer[];
  readonly enforced: readonly SettingsLayer[];
}

interface Ordering extends Pick<Sources, 'environment' | 'bundles'> {
  warn(sentence: string): void;
  fit(layer: FileLayer): FileLayer;
}

function orderLayers(files: readonly FileLayer[], {environment: {flags}, bundles, warn, fit}: Ordering): LayerOrder {
  const fitted = files.map(fit);
  const fromBundles = (layer: 'bundle' | 'enforced', some: readonly ActiveBundle[]): FileLayer[] =>
    bundleLayers(some, layer, warn).map(fit);
  const defaults = fromBundles('bundle', bundles);
  const enforced = fromBundles(
    'enforced',
    bundles.filter(({origin}) => origin !== 'user'),
  );
  // What a person's own bundle enforces stands above that person's files, never above the system's.
  const own = fromBundles(
    'enforced',
    bundles.filter(({origin}) => origin === 'user'),
  );
  return {
    defaults,
    files: [...fitted.filter(({layer}) => layer !== 'system'), ...own],
    system: fitted.filter(({layer}) => layer === 'system').map((layer) => ({...layer, managed: true as const})),
    flags: flagLayers(flags),
    enforced,
  };
}

function namesIn(groups: readonly (readonly SettingsLayer[])[]): readonly string[] {
  return [...new Set(groups.flat().flatMap(({values}) => Object.keys(values)))];
}

interface SectionParts {
  readonly child: SettingSchema | undefined;
  readonly environment: Environment;
  warn(sentence: string): void;
}

function readSection(name: string, order: LayerOrder, {child, environment, warn}: SectionParts): Section {
  const layers = [
    {layer: 'default' as const, value: child && defaultOf(child)},
    ...pick(order.defaults, name),
    ...pick(order.files, name),
    ...(name === SAFETY ? [] : pick(order.system, name)),
    ...readVariables(name, child, environment, warn),
    ...pick(order.flags, name),
    ...(name === SAFETY ? pick(order.system, name) : []),
    ...pick(order.enforced, name),
  ].filter(({value}) => value !== undefined);
  const merge = (some: readonly SectionLayer[]): unknown =>
    some.reduce<unknown>((weaker, {value}) => mergeValues(weaker, value, child), undefined);
  return {layers, value: merge(layers), managed: merge(layers.filter(({managed}) => managed))};
}

function pick(layers: readonly SettingsLayer[], name: string): SectionLayer[] {
  return layers.map(({values, ...origin}) => ({...origin, value: valueAt(values, [name])}));
}

/**
 * Variables are not expanded in them: the user who starts the program sets those. What a person applied cannot loosen
 * what that person decides alone.
 */
function bundleLayers(
  bundles: readonly ActiveBundle[],
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
