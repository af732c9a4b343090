import {realpathSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {findPathFault, systemCode, systemReason} from './real-path.js';

export interface DirectoryProblem {
  readonly code: 'DIRECTORY_MISSING' | 'DIRECTORY_NOT_A_DIRECTORY' | 'DIRECTORY_UNREADABLE';
  readonly given: string;
  /** A whole sentence. */
  readonly sentence: string;
  readonly cause?: unknown;
}

export interface FoundDirectories {
  /** Real, in the order given. */
  readonly paths: readonly string[];
  readonly problems: readonly DirectoryProblem[];
}

/** `~`, `~/…` and `%userprofile%…` as people write them, with the home directory in their place. */
export function expandHome(given: string, home: string): string {
  const prefix = /^(?:~|%userprofile%)(?=$|[\\/])/i.exec(given);
  return prefix === null ? given : home + given.slice(prefix[0].length);
}

/** The real paths of directories that a person named, and what is wrong with the others. Relative ones start from `from`. */
export function findDirectories(given: readonly string[], place: {readonly home: string; readonly from: string}): FoundDirectories {
  const found = given.map((one) => findDirectory(one, resolve(place.from, expandHome(one, place.home))));
  return {
    paths: found.filter((one) => typeof one === 'string'),
    problems: found.filter((one) => typeof one !== 'string'),
  };
}

/** Throws one KernelError that names every problem, if there is one; `source` says where the directories were named. */
export function refuseProblems(problems: readonly DirectoryProblem[], source?: string): void {
  const [first] = problems;
  if (first === undefined) return;
  const sentences = problems.map(({sentence}) => sentence).join(' ');
  throw new KernelError(first.code, source === undefined ? sentences : `${source}: ${sentences}`, {
    cause: first.cause,
    hint: `Create ${problems.length === 1 ? 'it' : 'them'} or correct the spelling; relative paths start from the current directory.`,
    data: {problems: problems.map(({code, given, sentence}) => ({code, given, sentence}))},
  });
}

/** Every start waits for this, and synchronous looks are several times quicker. */
function findDirectory(given: string, absolute: string): string | DirectoryProblem {
  const fault = findPathFault(given);
  if (fault !== undefined) return {code: 'DIRECTORY_MISSING', given, sentence: fault};
  try {
    const path = realpathSync.native(absolute);
    if (statSync(path).isDirectory()) return path;
    return {code: 'DIRECTORY_NOT_A_DIRECTORY', given, sentence: `${absolute} is not a directory.`};
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return {code: 'DIRECTORY_MISSING', given, sentence: `Directory ${absolute} does not exist.`, cause};
    return {code: 'DIRECTORY_UNREADABLE', given, sentence: `Directory ${absolute} cannot be reached: ${systemReason(cause)}.`, cause};
  }
}
