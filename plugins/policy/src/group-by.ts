/** Some things that are alike; at least one. */
export type Group<T> = readonly [T, ...T[]];

/** Puts things with the same key together, in the order of the first of each. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
