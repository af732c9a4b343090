import {isObject} from './key-path.js';
import {childOf, type SettingSchema} from './settings-schema.js';

/** What is shown for the value of a secret setting. */
export const REDACTED = '[redacted]';

/** A value as it may be shown: those of secret settings in it are replaced. */
export function redactSecrets(value: unknown, schema: SettingSchema | undefined): unknown {
  if (value === undefined || !schema) return value;
  if (schema['x-secret']) return REDACTED;
  if (!isObject(value) || !schema.properties) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, redactSecrets(part, childOf(schema, key))]),
  );
}
