const LONGEST = 300;
const MOST = 50;
const DEEPEST = 6;

/** A value with long texts and lists cut, each cut marked. */
export function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST ? `${value.slice(0, LONGEST)}… (${value.length} characters)` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value))
    return value.length > MOST
      ? [...value.slice(0, MOST).map((item) => shorten(item, depth + 1)), `… (${value.length} items)`]
      : value.map((item) => shorten(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shorten(part, depth + 1)]));
}
