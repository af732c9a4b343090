import {isObject} from './key-path.js';
import {childOf, type SettingSchema} from './settings-schema.js';

export type MergeStrategy = 'replace' | 'concat' | 'union' | 'deep' | 'shallow';

/** How two layers combine at a key: what the schema says, else objects go deep and everything else is replaced. */
export function mergeStrategyOf(schema: SettingSchema | undefined, value: unknown): MergeStrategy {
  return (
    schema?.['x-merge'] ?? (isObject(value) || (value === undefined && schema?.type === 'object') ? 'deep' : 'replace')
  );
}

/** The two values combined; neither is changed. `undefined` never wins. */
export function mergeValues(weaker: unknown, stronger: unknown, schema: SettingSchema | undefined): unknown {
  if (stronger === undefined) return weaker;
  if (weaker === undefined) return stronger;
  const strategy = mergeStrategyOf(schema, stronger);
  if (strategy === 'concat' || strategy === 'union') return joinLists(weaker, stronger, strategy);
  if (strategy === 'replace' || !isObject(weaker) || !isObject(stronger)) return stronger;
  return strategy === 'shallow' ? {...weaker, ...stronger} : mergeDeep(weaker, stronger, schema);
}

/** A value beside a list counts as a list of one; where there is no list, the stronger value replaces. */
function joinLists(weaker: unknown, stronger: unknown, strategy: 'concat' | 'union'): unknown {
  if (!Array.isArray(weaker) && !Array.isArray(stronger)) return stronger;
  const joined = [weaker, stronger].flat(1);
  return strategy === 'union' ? [...new Set(joined)] : joined;
}

function mergeDeep(weaker: object, stronger: object, schema: SettingSchema | undefined): unknown {
  const merged: {[key: string]: unknown} = {...weaker};
  for (const [key, value] of Object.entries(stronger))
    merged[key] = mergeValues(merged[key], value, childOf(schema, key));
  return merged;
}
