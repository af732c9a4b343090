/** The own property of a record under a name from outside; inherited names such as `constructor` do not count. */
export function ownEntry<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
