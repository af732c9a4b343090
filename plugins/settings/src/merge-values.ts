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
  switch (mergeStrategyOf(schema, stronger)) {
    case 'concat':
      return isListed(weaker, stronger) ? [weaker, stronger].flat(1) : stronger;
    case 'union':
      return isListed(weaker, stronger) ? [...new Set([weaker, stronger].flat(1))] : stronger;
    case 'shallow':
      return isObject(weaker) && isObject(stronger) ? {...weaker, ...stronger} : stronger;
    case 'deep':
      return isObject(weaker) && isObject(stronger) ? mergeDeep(weaker, stronger, schema) : stronger;
    case 'replace':
      return stronger;
  }
}

function isListed(weaker: unknown, stronger: unknown): boolean {
  return Array.isArray(weaker) || Array.isArray(stronger);
}

function mergeDeep(weaker: object, stronger: object, schema: SettingSchema | undefined): unknown {
  const merged: {[key: string]: unknown} = {...weaker};
  for (const [key, value] of Object.entries(stronger))
    merged[key] = mergeValues(merged[key], value, childOf(schema, key));
  return merged;
}
