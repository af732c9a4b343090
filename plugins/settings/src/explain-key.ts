import type {Explanation, LayerValue} from './contract.js';
import {isObject, joinKey, valueAt} from './key-path.js';
import type {LoadedSettings} from './load-settings.js';
import {mergeStrategyOf} from './merge-values.js';
import {childOf, schemaAt, visitKeys, type SettingSchema} from './settings-schema.js';

/** What each layer says about one key, and which one is strongest. */
export function explainKey(path: readonly string[], {schema, layers, merged}: LoadedSettings): Explanation {
  const said: LayerValue[] = layers.flatMap(({layer, source, values}) => {
    const value = valueAt(values, path);
    return value === undefined ? [] : [{layer, ...(source === undefined ? {} : {source}), value}];
  });
  const value = valueAt(merged, path);
  const known = schemaAt(schema, path);
  const {description, type} = known ?? {};
  return structuredClone({
    key: joinKey(path),
    value,
    layers: said,
    winner: said.at(-1)?.layer,
    merge: mergeStrategyOf(known, value),
    ...(description === undefined ? {} : {description}),
    ...(type === undefined ? {} : {type: [type].flat().join(' or ')}),
  });
}

/** Every key that a layer other than the defaults sets; with `all` every key the schema knows, in its order. */
export function explainKeys(loaded: LoadedSettings, {all = false}: {readonly all?: boolean}): readonly Explanation[] {
  const paths = new Map<string, readonly string[]>();
  const add = (path: readonly string[]): unknown => paths.set(joinKey(path), path);
  if (all) {
    visitKeys(loaded.schema, (path, child) => {
      if (!child.properties) add(path);
    });
  }
  for (const {layer, values} of loaded.layers) {
    if (layer !== 'default') visitLeaves(values, loaded.schema, [], add);
  }
  return [...paths.values()].map((path) => explainKey(path, loaded));
}

// A leaf is what one layer sets as a whole: no object, an empty one, or one that the schema leaves open or replaces entirely.
function visitLeaves(value: unknown, schema: SettingSchema | undefined, path: readonly string[], visit: (path: readonly string[]) => void): void {
  const isOpen = schema !== undefined && path.length > 0 && !schema.properties && !schema.additionalProperties;
  if (!isObject(value) || Object.keys(value).length === 0 || isOpen) {
    if (path.length > 0) visit(path);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    const childPath = [...path, key];
    if (schema?.['x-merge'] === 'shallow') visit(childPath);
    else visitLeaves(part, childOf(schema, key), childPath, visit);
  }
}
