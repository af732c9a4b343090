import {accessSync, constants, realpathSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {findPathFault, systemCode, systemReason} from './real-path.js';

export interface DirectoryProblem {
  readonly code: 'DIRECTORY_MISSING' | 'DIRECTORY_NOT_A_DIRECTORY' | 'DIRECTORY_UNREADABLE';
  readonly given: string;
  /** A complete sentence. */
  readonly sentence: string;
  readonly cause?: unknown;
  /** It exists, but may not be listed. */
  readonly isClosed?: true;
}

export interface FoundDirectory {
  readonly given: string;
  /** Real. */
  readonly path: string;
}

/** What directory names are resolved with. */
export interface NamingPlace {
  readonly home: string;
  /** Base of relative names. */
  readonly from: string;
  /** The values of variables, where names may contain them. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Accept directories that may not be listed. */
  readonly withClosed?: boolean;
}

export interface FoundDirectories {
  /** Real, in the order given. */
  readonly paths: readonly string[];
  /** The same, each with what was written. */
  readonly found: readonly FoundDirectory[];
  readonly problems: readonly DirectoryProblem[];
}

const REFERENCE = /\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})/g;

/** `~`, `~/…` and `%userprofile%…` as people write them, with the home directory in their place. */
export function expandHome(given: string, home: string): string {
  const prefix = /^(?:~|%userprofile%)(?=$|[\\/])/i.exec(given);
  return prefix === null ? given : home + given.slice(prefix[0].length);
}

/** `$NAME`, `${NAME}` and `${NAME:-default}` replaced as settings do it; names that are not set stay as written. */
export function expandNames(given: string, variables: NonNullable<NamingPlace['variables']>): string {
  return given.replace(
    REFERENCE,
    (written, bare: string | undefined, braced: string | undefined, fallback: string | undefined) => {
      const name = bare ?? braced ?? '';
      return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? fallback ?? written;
    },
  );
}

/** The real paths of directories that a person named and that can be listed, and the problems of the others. */
export function findDirectories(given: readonly string[], place: NamingPlace): FoundDirectories {
  const {home, from, variables, withClosed = false} = place;
  const absolute = (one: string): string =>
    resolve(from, expandHome(variables ? expandNames(one, variables) : one, home));
  const looked = given.map((one) => findDirectory({given: one, absolute: absolute(one), withClosed}));
  const found = looked.flatMap((path, index) => (typeof path === 'string' ? [{given: given[index] ?? '', path}] : []));
  return {found, paths: found.map(({path}) => path), problems: looked.filter((one) => typeof one !== 'string')};
}

/** Throws one KernelError that names every problem, if there is one; `source` says where the directories were named. */
export function refuseProblems(
  problems: readonly DirectoryProblem[],
  {source, container}: {readonly source?: string; readonly container?: string | undefined} = {},
): void {
  const [first] = problems;
  if (first === undefined) return;
  const sentences = problems.map(({sentence}) => sentence).join(' ');
  throw new KernelError(first.code, source === undefined ? sentences : `${source}: ${sentences}`, {
    cause: first.cause,
    hint: container ? hintInside(container) : hintFor(problems),
    data: {problems: problems.map(({code, given, sentence}) => ({code, given, sentence}))},
  });
}

/** A container has the directories that it was started with. */
function hintInside(container: string): string {
  return `gemini runs in the container ${container}. Start it again with --include-directories for what is outside.`;
}

function hintFor(problems: readonly DirectoryProblem[]): string {
  const it = problems.length === 1 ? 'it' : 'them';
  if (problems.every(({isClosed}) => isClosed)) return `Ask the owner for permission to read and enter ${it}.`;
  return `Create ${it} or correct the spelling; relative paths start at the current directory.`;
}

interface Named {
  readonly given: string;
  readonly absolute: string;
  readonly withClosed: boolean;
}

/** Every start waits for this, and synchronous calls are several times faster. */
function findDirectory({given, absolute, withClosed}: Named): string | DirectoryProblem {
  const fault = findPathFault(given);
  if (fault !== undefined) return {code: 'DIRECTORY_MISSING', given, sentence: fault};
  try {
    const path = realpathSync.native(absolute);
    if (!statSync(path).isDirectory())
      return {code: 'DIRECTORY_NOT_A_DIRECTORY', given, sentence: `${absolute} is not a directory.`};
    return (withClosed ? undefined : findClosed(path, {given, absolute})) ?? path;
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT')
      return {code: 'DIRECTORY_MISSING', given, sentence: `Directory ${absolute} does not exist.`, cause};
    return {
      code: 'DIRECTORY_UNREADABLE',
      given,
      sentence: `Directory ${absolute} cannot be reached: ${systemReason(cause)}.`,
      cause,
    };
  }
}

/** A directory that cannot be listed or entered is useless to every tool. */
function findClosed(path: string, {given, absolute}: Pick<Named, 'given' | 'absolute'>): DirectoryProblem | undefined {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    const code = systemCode(cause);
    if (code !== 'EACCES' && code !== 'EPERM') throw cause;
    const sentence = `Directory ${absolute} cannot be listed: permission denied.`;
    return {code: 'DIRECTORY_UNREADABLE', given, sentence, isClosed: true, cause};
  }
}
