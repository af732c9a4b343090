import {stat} from 'node:fs/promises';
import {basename, relative} from 'node:path';
import type {Files, FoundPath} from '@gemini-kernel/plugin-search/contract';
import type {Mention} from './path-mentions.js';

/** A file that a mention means without its full path. */
export interface MentionedFile {
  readonly path: string;
  /** Relative to the workspace directory that contains it. */
  readonly label: string;
}

/** How many of the best matches are checked for a unique name. */
const MOST = 1000;

/**
 * The one file in the workspace whose whole name is the mentioned one; case counts if it distinguishes files. A word
 * without a dot, a part of a name, and a name of several files match nothing, so that prose stays prose.
 */
export async function findMentioned(
  {path: name, isInWord}: Mention,
  files: Files,
  signal: AbortSignal,
): Promise<MentionedFile | undefined> {
  if (isInWord || !name.includes('.') || /[/\\]/.test(name)) return undefined;
  const folded = fold(name);
  // An existing file list saves a walk through all files, unless it is out of date.
  const known = choose(name, await files.find(folded, {kind: 'file', most: MOST, signal, anyAge: true}));
  if (known && (await isThere(known.path))) return known;
  return choose(name, await files.find(folded, {kind: 'file', most: MOST, signal}));
}

/** The only one of the found files with that name. */
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
