import {stat} from 'node:fs/promises';
import {basename, relative} from 'node:path';
import type {Files, FoundPath} from '@gemini-kernel/plugin-search/contract';
import type {Mention} from './path-mentions.js';

/** A file that a mention means although it does not say where it lies. */
export interface MentionedFile {
  readonly path: string;
  /** From the directory of the workspace that it lies in. */
  readonly label: string;
}

/** Of so many that fit best it is seen whether one of them alone has the name. */
const MOST = 1000;

/**
 * The one file in the workspace whose whole last name is the mentioned one; upper and lower case count when that tells
 * files apart. A word without a dot, a part of a name, and a name that several files have read no file, so that prose
 * stays prose.
 */
export async function findMentioned(
  {path: name, isInWord}: Mention,
  files: Files,
  signal: AbortSignal,
): Promise<MentionedFile | undefined> {
  if (isInWord || !name.includes('.') || /[/\\]/.test(name)) return undefined;
  const folded = fold(name);
  // A list of all files that is there already saves a walk through all of them, unless it is behind.
  const known = choose(name, await files.find(folded, {kind: 'file', most: MOST, signal, anyAge: true}));
  if (known && (await isThere(known.path))) return known;
  return choose(name, await files.find(folded, {kind: 'file', most: MOST, signal}));
}

/** The one of the files found that has the name. */
function choose(name: string, found: readonly FoundPath[]): MentionedFile | undefined {
  const folded = fold(name);
  const same = found.filter(({path}) => fold(basename(path)) === folded);
  const equal = same.filter(({path}) => basename(path) === name);
  const [one, another] = equal.length > 0 ? equal : same;
  return one && !another ? {path: one.path, label: relative(one.root, one.path)} : undefined;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
