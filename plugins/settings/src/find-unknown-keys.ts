import {isObject} from './key-path.js';
import {childOf, type SettingSchema} from './settings-schema.js';

/** The paths of keys that no schema knows, the highest of each branch. Objects that a schema leaves open have none. */
export function findUnknownKeys(
  value: unknown,
  schema: SettingSchema,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  if (!isObject(value) || (!schema.properties && !schema.additionalProperties)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const child = childOf(schema, key);
    return child ? findUnknownKeys(part, child, [...path, key]) : [[...path, key]];
  });
}
