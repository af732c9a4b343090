/**
 * Arguments as rules see them: keys sorted, no blanks, what JSON cannot hold left out, and every pair of the top level
 * between two NUL characters, so that a pattern can tell a pair from text that looks like one.
 */
export function toStableJSON(value: unknown): string {
  return write(value, new Set(), true) ?? 'null';
}

function write(given: unknown, above: ReadonlySet<object>, isTop = false): string | undefined {
  const value =
    typeof (given as {toJSON?: unknown} | null)?.toJSON === 'function'
      ? (given as {toJSON(): unknown}).toJSON()
      : given;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (above.has(value)) return '"[Circular]"';
  const within = new Set(above).add(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, within) ?? 'null').join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const pairs = Object.keys(record)
    .sort()
    .flatMap((key) => {
      const text = write(record[key], within);
      if (text === undefined) return [];
      const pair = `${JSON.stringify(key)}:${text}`;
      return [isTop ? `\0${pair}\0` : pair];
    });
  return `{${pairs.join(',')}}`;
}
