import {isObject, joinKey, type JSONObject} from './key-path.js';
import {childOf, type SettingSchema, type TypeName} from './settings-schema.js';
import {describeLimits, keepsLimits} from './value-limits.js';

/** A present value that the schema does not expect. */
export interface Misfit {
  readonly key: string;
  /** Names the key, what it takes and what it is. */
  readonly sentence: string;
}

const WORDS: Record<TypeName, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/**
 * The value as the schema wants it: strings that spell a number or a boolean become one where only that is expected.
 * Everything else stays, and what does not fit is added to `misfits`.
 */
export function fitValue(
  value: unknown,
  schema: SettingSchema | undefined,
  misfits: Misfit[],
  path: readonly string[] = [],
): unknown {
  if (!schema || value === undefined) return value;
  const types = typesOf(schema);
  const fitted = typeof value === 'string' ? spelledValue(value, types) : value;
  if (!isExpected(fitted, types, schema)) {
    misfits.push(describeMisfit(fitted, schema, joinKey(path) || 'The whole file'));
    return fitted;
  }
  if (Array.isArray(fitted))
    return fitted.map((item, index) => fitValue(item, schema.items, misfits, [...path, String(index)]));
  return isObject(fitted) && !isOpen(schema) ? fitObject(fitted, schema, misfits, path) : fitted;
}

/** Whether an object may hold anything. */
function isOpen({properties, additionalProperties, required}: SettingSchema): boolean {
  return properties === undefined && additionalProperties === undefined && required === undefined;
}

function describeMisfit(value: unknown, schema: SettingSchema, key: string): Misfit {
  const found = schema['x-secret'] ? 'what is set' : shorten(JSON.stringify(value));
  return {key, sentence: `${key} must be ${expectationOf(schema)}, not ${found}`};
}

function isExpected(value: unknown, types: readonly TypeName[], schema: SettingSchema): boolean {
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  return (!schema.enum || schema.enum.includes(value)) && keepsLimits(value, schema);
}

function fitObject(value: JSONObject, schema: SettingSchema, misfits: Misfit[], path: readonly string[]): JSONObject {
  const misfit = (key: string, sentence: string): unknown => misfits.push({key, sentence: `${key} ${sentence}`});
  for (const key of schema.required ?? [])
    if (!Object.hasOwn(value, key)) misfit(joinKey([...path, key]), 'is missing');
  if (schema.additionalProperties === false)
    for (const key of Object.keys(value)) if (!childOf(schema, key)) misfit(joinKey([...path, key]), 'is not expected');
  const fitted: JSONObject = {};
  for (const [key, part] of Object.entries(value))
    fitted[key] = fitValue(part, childOf(schema, key), misfits, [...path, key]);
  return fitted;
}

/** What a key takes, in words: `true or false`, `one of "text", "json"`. */
export function expectationOf(schema: SettingSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((option) => JSON.stringify(option)).join(', ')}`;
  const types = typesOf(schema).map((type) => WORDS[type]);
  return `${types.join(' or ') || 'any JSON'}${describeLimits(schema)}`;
}

function typesOf({type}: SettingSchema): readonly TypeName[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function spelledValue(text: string, types: readonly TypeName[]): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.includes('number') || types.includes('integer');
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function hasType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
