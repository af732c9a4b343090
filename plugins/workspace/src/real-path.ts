import {lstat, readlink, realpath} from 'node:fs/promises';
import {isAbsolute, join, parse, sep} from 'node:path';
import {ToolError} from '@gemini-kernel/kernel';

export interface RealPath {
  readonly path: string;
  readonly exists: boolean;
}

// The limit of Linux for one look-up; other systems allow fewer.
const MOST_LINKS = 40;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'a directory in the path may not be entered',
  EPERM: 'a directory in the path may not be entered',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'a name in it is too long for the file system',
  ENOTDIR: 'a part of the path is a file, not a directory',
};

/** The error code of the operating system, or undefined for another kind of failure. */
export function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** Why the operating system refused a path, as part of a sentence. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return (code !== undefined && REASONS[code]) || (error instanceof Error ? error.message : String(error));
}

/** Why a text is not a path at all, as a sentence, or undefined. */
export function findPathFault(given: string, platform?: NodeJS.Platform): string | undefined {
  if (given === '') return 'The path is empty.';
  if (given.includes('\0')) return `The path ${JSON.stringify(given)} contains a NUL character.`;
  // On Windows `notes.txt:hidden` opens a second stream of notes.txt that no listing shows.
  const hasStream = platform === 'win32' && !/^(?:\\\\[?.]\\)?(?:[a-z]:)?[^:]*$/i.test(given);
  return hasStream ? `The path ${given} names a stream of a file, not a file.` : undefined;
}

/**
 * Follows every symbolic link of an absolute path. A missing tail is appended to its nearest existing ancestor, and a
 * dangling link leads to where its target would be. Throws ToolError PATH_UNRESOLVABLE when there is no answer.
 */
export async function realPathOf(absolute: string): Promise<RealPath> {
  try {
    return {path: await realpath(absolute), exists: true};
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unresolvable(absolute, error);
  }
  try {
    return {path: await walk(absolute), exists: false};
  } catch (cause) {
    throw unresolvable(absolute, cause);
  }
}

/** Name by name, as the operating system does it, but continuing where nothing exists. */
async function walk(absolute: string): Promise<string> {
  const names = segmentsOf(absolute);
  let real = parse(absolute).root;
  let isBeyond = false;
  for (let links = 0; names.length > 0;) {
    const name = names.shift();
    if (name === undefined) break;
    const next = join(real, name);
    const entry = name === '..' ? 'entry' : await entryAt(next);
    if (typeof entry === 'object') {
      links += 1;
      if (links > MOST_LINKS) throw Object.assign(new Error(`Too many symbolic links at ${next}.`), {code: 'ELOOP'});
      if (isAbsolute(entry.target)) real = parse(entry.target).root;
      names.unshift(...segmentsOf(entry.target));
    } else if (entry === 'missing' && !isBeyond) {
      // As the file system spells it, where case does not matter.
      real = join(await realpath(real), name);
      isBeyond = true;
    } else {
      real = next;
    }
  }
  return real;
}

async function entryAt(path: string): Promise<'missing' | 'entry' | {readonly target: string}> {
  try {
    return (await lstat(path)).isSymbolicLink() ? {target: await readlink(path)} : 'entry';
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
}

function segmentsOf(path: string): string[] {
  const names = path.slice(parse(path).root.length).split(sep === '\\' ? /[\\/]/ : sep);
  return names.filter((name) => name !== '' && name !== '.');
}

function unresolvable(path: string, cause: unknown): ToolError {
  return new ToolError('PATH_UNRESOLVABLE', `Cannot find the real path of ${path}: ${systemReason(cause)}.`, {
    cause,
    hint: 'List the directories in the path to see what is there.',
  });
}
