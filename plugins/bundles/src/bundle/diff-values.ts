/** One changed value; undefined where a side has no value. */
export interface ValueChange {
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The differences between two values, down to the smallest named part; lists are compared as a whole. */
export function diffValues(before: unknown, after: unknown, key: string): readonly ValueChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before ?? {}) && isObject(after ?? {}) && (isObject(before) || isObject(after))) {
    const [a, b] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
    const parts = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return parts.flatMap((part) => diffValues(a[part], b[part], `${key}.${part}`));
  }
  return [{key, ...(before === undefined ? {} : {before}), ...(after === undefined ? {} : {after})}];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
