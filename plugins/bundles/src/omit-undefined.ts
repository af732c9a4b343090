/** The entries of an object that have a value, so that unknown values are absent from what is written or shown. */
export function omitUndefined<T extends object>(entries: T): {readonly [K in keyof T]?: Exclude<T[K], undefined>} {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    // `fromEntries` loses the names; they are those of `entries`.
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
