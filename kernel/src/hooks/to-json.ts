/** What came out of here: frozen, and JSON through and through. */
const known = new WeakSet<object>();
const DEEPEST = 500;

/**
 * A frozen copy of a value that is JSON, the one form in which values pass between plugins. A property that is
 * undefined is left out. A value that came through here before, or is frozen all the way down, is given back as it is.
 * Throws a TypeError that names the place of anything else.
 */
export function toJson<T>(value: T, name: string): T {
  return copy(value, name, 0) as T;
}

function copy(value: unknown, path: string, depth: number): unknown {
  if (isScalar(value) || (value === undefined && depth === 0)) return value;
  if (typeof value !== 'object') throw new TypeError(`${path} is ${nameOf(value)}, which is not JSON.`);
  if (known.has(value)) return value;
  if (depth > DEEPEST) throw new TypeError(`${path} is nested more than ${DEEPEST} levels deep.`);
  const made = Array.isArray(value)
    ? value.map((item, index) => copy(item, `${path}.${index}`, depth + 1))
    : copyObject(value, path, depth);
  const kept = isSame(value, made) ? value : Object.freeze(made);
  known.add(kept);
  return kept;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Whether an object can never differ from its copy: it is frozen and of the same kind, and its data is the same. */
function isSame(value: object, made: object): boolean {
  if (!Object.isFrozen(value) || Object.getPrototypeOf(value) !== Object.getPrototypeOf(made)) return false;
  const keys = Reflect.ownKeys(value);
  const isData = (key: string | symbol): boolean =>
    Object.getOwnPropertyDescriptor(value, key)?.value === made[key as keyof object];
  return keys.length === Reflect.ownKeys(made).length && keys.every(isData);
}

function copyObject(value: object, path: string, depth: number): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of any realm: nothing stands above its prototype.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const isTrap = Object.hasOwn(value, '__proto__');
  if (!isPlain || isTrap) throw new TypeError(`${path} is ${nameOf(value)}, which is not JSON.`);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined) made[key] = copy(part, `${path}.${key}`, depth + 1);
  }
  return made;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object') return `an object of the kind ${value?.constructor?.name ?? 'unknown'}`;
  return typeof value === 'number' ? String(value) : typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}
