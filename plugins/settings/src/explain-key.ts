import type {Explanation} from './contract.js';
import {isObject, joinKey, valueAt} from './key-path.js';
import type {LoadedSettings} from './load-settings.js';
import {mergeStrategyOf} from './merge-values.js';
import {redactSecrets} from './redact-secrets.js';
import {childOf, schemaAt, visitKeys, type SettingSchema} from './settings-schema.js';

/** What each layer says about one key, and which one is strongest. */
export function explainKey(path: readonly string[], {schema, section}: LoadedSettings): Explanation {
  const [name = '', ...rest] = path;
  const {layers, value: whole} = section(name);
  const said = layers
    .map((layer) => ({...layer, value: valueAt(layer.value, rest)}))
    .filter(({value}) => value !== undefined);
  const value = valueAt(whole, rest);
  const known = schemaAt(schema, path);
  const {description, type, 'x-plugin': plugin, 'x-category': category, 'x-secret': secret} = known ?? {};
  const shown = (one: unknown): unknown => copyOf(redactSecrets(one, known));
  return {
    key: joinKey(path),
    value: shown(value),
    layers: said.map((layer) => ({...layer, value: shown(layer.value)})),
    winner: said.at(-1)?.layer,
    merge: mergeStrategyOf(known, value),
    ...(description === undefined ? {} : {description}),
    ...(type === undefined ? {} : {type: [type].flat().join(' or ')}),
    ...(plugin === undefined ? {} : {plugin}),
    ...(category === undefined ? {} : {category}),
    ...(secret ? {secret} : {}),
  };
}

/** Objects are copied, so that what a caller does to its answer changes no setting. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}

/** Every key that a layer other than the defaults sets; with `all` every key the schema knows, in its order. */
export function explainKeys(loaded: LoadedSettings, {all = false}: {readonly all?: boolean}): readonly Explanation[] {
  const {schema, names, section} = loaded;
  const paths = new Map<string, readonly string[]>();
  const add = (path: readonly string[]): unknown => paths.set(joinKey(path), path);
  if (all) {
    visitKeys(schema, (path, child) => {
      if (!child.properties) add(path);
    });
  }
  for (const name of new Set([...Object.keys(schema.properties ?? {}), ...names])) {
    for (const {layer, value} of section(name).layers) {
      if (layer !== 'default') visitLeaves({value, schema: childOf(schema, name), path: [name]}, add);
    }
  }
  return [...paths.values()].map((path) => explainKey(path, loaded));
}

interface Branch {
  readonly value: unknown;
  readonly schema: SettingSchema | undefined;
  readonly path: readonly string[];
}

// A leaf is what one layer sets as a whole: no object, an empty one, or one that the schema leaves open or replaces
// entirely.
function visitLeaves({value, schema, path}: Branch, visit: (path: readonly string[]) => void): void {
  const isOpen = schema !== undefined && !schema.properties && !schema.additionalProperties;
  if (!isObject(value) || Object.keys(value).length === 0 || isOpen) {
    visit(path);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    const childPath = [...path, key];
    if (schema?.['x-merge'] === 'shallow') visit(childPath);
    else visitLeaves({value: part, schema: childOf(schema, key), path: childPath}, visit);
  }
}
