import {lstatSync, readdirSync, type Stats} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import {isAlive, ownUser} from '../companion/host-process.js';
import {DISCOVERY_FOLDER, DISCOVERY_NAME} from '../protocol.js';

/** A folder with more files is a mistake; only the likeliest are read. */
const MOST_FILES = 200;
/** Larger numbers are not process ids on any system. */
const LAST_PID = 2 ** 31 - 1;
const GROUP_WRITES = 0o020;
const ALL_WRITE = 0o002;
const STICKY = 0o1000;

/** What the name of a discovery file says. */
export interface DiscoveryName {
  readonly name: string;
  readonly pid: number;
  /** Undefined in the older form. */
  readonly port: number | undefined;
  /** Whether the process exists here; always true on Windows, as companions expect. */
  readonly isAlive: boolean;
}

/** Which files are more likely than others. */
export interface Likely {
  /** Processes that may have opened this terminal. */
  readonly pids: ReadonlySet<number>;
  readonly port: number | undefined;
}

/**
 * The names of discovery files in a folder, the likeliest first, up to the limit. Throws the errors of readdir, except
 * for a missing folder.
 */
export function listDiscoveryNames(
  folder: string,
  platform: Environment['platform'],
  {pids, port: wanted}: Likely,
): readonly DiscoveryName[] {
  const names = readNames(folder).flatMap((name): readonly (DiscoveryName & {readonly rank: number})[] => {
    const [, digits = '', given] = DISCOVERY_NAME.exec(name) ?? [];
    const pid = Number(digits);
    if (pid < 1 || pid > LAST_PID) return [];
    const [port, lives] = [given === undefined ? undefined : Number(given), platform === 'win32' || isAlive(pid)];
    return [
      {
        name,
        pid,
        port,
        isAlive: lives,
        rank: (port !== undefined && port === wanted ? 4 : 0) + (pids.has(pid) ? 2 : 0) + (lives ? 1 : 0),
      },
    ];
  });
  return names.sort((a, b) => b.rank - a.rank || b.pid - a.pid).slice(0, MOST_FILES);
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // No companion has ever written here.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Why nothing below a temporary folder can be trusted, as a clause; undefined when it can. A user who can rename files
 * in a folder can keep one that its companion removed, and listen on its port.
 */
export function findFolderFault(temporary: string, platform: Environment['platform']): string | undefined {
  const user = ownUser();
  if (platform === 'win32' || user === undefined) return undefined;
  let folder = temporary;
  for (const name of DISCOVERY_FOLDER) {
    folder = join(folder, name);
    const stats = look(folder);
    if (!stats) return undefined;
    if (stats.isSymbolicLink()) return `${folder} is a link`;
    if (stats.uid !== user && stats.uid !== 0) return `${folder} belongs to another user (${stats.uid})`;
    const who = (stats.mode & STICKY) === 0 ? whoElseWrites(stats) : undefined;
    if (who !== undefined) return `${folder} is writable by ${who}`;
  }
  return undefined;
}

/**
 * Who can write besides the owner; undefined for no one. A group with the same number as the user is the user's own.
 */
export function whoElseWrites({mode, uid, gid}: Pick<Stats, 'mode' | 'uid' | 'gid'>): string | undefined {
  if ((mode & ALL_WRITE) !== 0) return 'everyone';
  return (mode & GROUP_WRITES) !== 0 && gid !== uid ? `its group (${gid})` : undefined;
}

function look(folder: string): Stats | undefined {
  try {
    return lstatSync(folder);
  } catch {
    // What is not there has no files either.
    return undefined;
  }
}
