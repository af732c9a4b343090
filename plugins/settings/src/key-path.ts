import {KernelError} from '@gemini-kernel/kernel';

export type JSONObject = {[key: string]: unknown};

/** True for what JSON calls an object: neither null nor a list. */
export function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The parts of a dotted key; `\.` stands for a dot inside a part. Throws KernelError KEY_MALFORMED when a part is
 * empty.
 */
export function splitKey(key: string): readonly string[] {
  const path = key.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  if (path.some((part) => part === '' || part === '__proto__')) {
    throw new KernelError('KEY_MALFORMED', `"${key}" is not a settings key.`, {
      hint: 'Join names by single dots, as in ui.theme; write \\. for a dot inside a name.',
    });
  }
  return path;
}

/** The dotted key that `splitKey` takes apart again. */
export function joinKey(path: readonly string[]): string {
  return path.map((part) => part.replaceAll('.', '\\.')).join('.');
}

/** What lies at a path inside nested objects, or undefined. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    value,
  );
}

/** Objects inside each other with `value` at the end of the path. */
export function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({[key]: inner}), value);
}

/** The same without what lies at a path; what was above it stays. */
export function without(values: JSONObject, [key, ...rest]: readonly string[]): JSONObject {
  if (key === undefined) return values;
  const {[key]: part, ...others} = values;
  return rest.length > 0 && isObject(part) ? {...others, [key]: without(part, rest)} : others;
}
