import {isObject, joinKey, type JSONObject} from './key-path.js';
import {childOf, type SettingSchema, type TypeName} from './settings-schema.js';

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
    const key = joinKey(path) || 'The whole file';
    misfits.push({key, sentence: `${key} must be ${expectationOf(schema)}, not ${shorten(JSON.stringify(fitted))}`});
    return fitted;
  }
  if (Array.isArray(fitted))
    return fitted.map((item, index) => fitValue(item, schema.items, misfits, [...path, String(index)]));
  return isObject(fitted) && (schema.properties || schema.additionalProperties)
    ? fitObject(fitted, schema, misfits, path)
    : fitted;
}

function isExpected(value: unknown, types: readonly TypeName[], {enum: options}: SettingSchema): boolean {
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return false;
  return !options || options.includes(value);
}

function fitObject(value: JSONObject, schema: SettingSchema, misfits: Misfit[], path: readonly string[]): JSONObject {
  const fitted: JSONObject = {};
  for (const [key, part] of Object.entries(value))
    fitted[key] = fitValue(part, childOf(schema, key), misfits, [...path, key]);
  return fitted;
}

/** What a key takes, in words: `true or false`, `one of "text", "json"`. */
export function expectationOf(schema: SettingSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((option) => JSON.stringify(option)).join(', ')}`;
  return (
    typesOf(schema)
      .map((type) => WORDS[type])
      .join(' or ') || 'any JSON'
  );
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
