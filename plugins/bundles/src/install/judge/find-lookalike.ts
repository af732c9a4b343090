import type {LockedPlugin} from '@gemini-kernel/admission';
import type {Installer} from '../source/installer.js';

/** Letters and pairs that look like others, and characters that people do not tell apart. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1i|]/g, 'l'],
  [/5/g, 's'],
  [/[-_.~]/g, ''],
];

/**
 * A known name that is easily confused with another: one letter more, less, changed or swapped, or only look-alike
 * characters.
 */
export function findLookalike(name: string, known: Iterable<string>): string | undefined {
  for (const other of known)
    if (other !== name && (fold(other) === fold(name) || isOneEditAway(name, other))) return other;
  return undefined;
}

/**
 * The plugin of the lock, or of those that load today, that a new name is easily confused with; undefined for an
 * installed name.
 */
export function lookalikeBeside(
  {present}: Pick<Installer, 'present'>,
  name: string,
  installed: Readonly<Record<string, LockedPlugin>>,
): string | undefined {
  if (Object.hasOwn(installed, name)) return undefined;
  return findLookalike(name, [...Object.keys(installed), ...present.map(({manifest}) => manifest.name)]);
}

function fold(name: string): string {
  return ALIKE.reduce((text, [letters, by]) => text.replace(letters, by), name.toLowerCase());
}

/** Nearly all short names are one letter apart. */
const SHORTEST = 4;

function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < SHORTEST) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const rests = [
    [a.slice(at + 1), b.slice(at + 1)],
    [a.slice(at), b.slice(at + 1)],
    [a.slice(at + 1), b.slice(at)],
  ];
  if (rests.some(([one, other]) => one === other)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
