/** Makes plain data unchangeable, so that a listener that fails half-way has changed nothing. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value) && prototype !== null) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}
