/** Values below this are left as they are; the kernel refuses them when they are passed on. */
const DEEPEST = 500;

/** Freezes a JSON value and everything in it, and gives it back. What is frozen already counts as frozen throughout. */
export function freezeJson<T>(value: T): T {
  freeze(value, 0);
  return value;
}

function freeze(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || depth > DEEPEST) return;
  for (const part of Object.values(value)) freeze(part, depth + 1);
  Object.freeze(value);
}
