const BRAND = Symbol.for('gemini-kernel.brand');

export type Brand = 'tool' | 'service' | 'hook' | 'listener' | 'flag' | 'setting' | 'kernel-error' | 'tool-error';

/** Marks a value as one of ours, so that copies of this package recognise each other's values. */
export function brand<T extends object>(value: T, kind: Brand): T {
  Object.defineProperty(value, BRAND, {value: kind});
  return value;
}

/** The mark that `brand` put on a value, or undefined. */
export function brandOf(value: unknown): Brand | undefined {
  return typeof value === 'object' && value !== null ? (value as {[BRAND]?: Brand})[BRAND] : undefined;
}
