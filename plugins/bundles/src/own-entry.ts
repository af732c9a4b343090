/**
 * What a record has under a name that came from outside; a name such as `constructor` is there only when somebody put
 * it there.
 */
export function ownEntry<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
