import type {BundleLock} from './bundle-lock.js';

const ORDER: readonly (keyof BundleLock)[] = [
  'bundleVersion',
  'name',
  'description',
  'serial',
  'expires',
  'kernel',
  'plugins',
  'apart',
  'start',
  'prompt',
  'settings',
  'mcpServers',
  'rules',
  'sources',
  'keys',
  'blockedCapabilities',
  'policies',
  'extensions',
  'skills',
];

/** The text of a lock: the same for the same content, in whatever order its parts were found. */
export function lockText(lock: BundleLock): string {
  const ordered = Object.fromEntries(
    ORDER.flatMap((key) => (lock[key] === undefined ? [] : [[key, sortKeys(lock[key])]])),
  );
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** The same value with the keys of every object in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
