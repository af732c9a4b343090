import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {messageOf, type Environment} from '@gemini-kernel/kernel';
import {ownUser} from '../companion/host-process.js';
import {DISCOVERY_FOLDER} from '../protocol.js';
import {
  findFolderFault,
  listDiscoveryNames,
  whoElseWrites,
  type DiscoveryName,
  type Likely,
} from './list-discovery-names.js';
import {parseDiscovery, type ParsedDiscovery} from './parse-discovery.js';

const LARGEST = 1024 * 1024;

/** A discovery file that can be read. */
export interface ReadDiscoveryFile extends ParsedDiscovery {
  readonly file: string;
  readonly pid: number;
  /** Whether its process exists here. */
  readonly isAlive: boolean;
  /** The older form, without a port in its name. */
  readonly isOlder: boolean;
  /** When it was written, in milliseconds since 1970. */
  readonly written: number;
}

export interface DiscoveryFiles {
  readonly folder: string;
  readonly found: readonly ReadDiscoveryFile[];
  /** Includes the folder itself if it cannot be read. */
  readonly unfit: readonly {readonly file: string; readonly message: string}[];
}

/** Every discovery file of this user, and why others cannot be used. */
export function readDiscoveryFiles(
  {temporary, platform}: Pick<Environment, 'temporary' | 'platform'>,
  likely: Likely,
): DiscoveryFiles {
  const folder = join(temporary, ...DISCOVERY_FOLDER);
  const found: ReadDiscoveryFile[] = [];
  const unfit: {readonly file: string; readonly message: string}[] = [];
  const folderFault = findFolderFault(temporary, platform);
  const names = (): readonly DiscoveryName[] => {
    try {
      return listDiscoveryNames(folder, platform, likely);
    } catch (error) {
      unfit.push({file: folder, message: describe(error)});
      return [];
    }
  };
  for (const one of names()) {
    const file = join(folder, one.name);
    try {
      if (folderFault !== undefined) throw new Error(folderFault);
      found.push(readOne(file, one, platform));
    } catch (error) {
      // Its companion has removed it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') unfit.push({file, message: describe(error)});
    }
  }
  return {folder, found, unfit};
}

/**
 * Checks and reads the same open file, so that it cannot be replaced in between. Throws an Error with a clause about
 * the problem.
 */
function readOne(
  file: string,
  {pid, port, isAlive}: DiscoveryName,
  platform: Environment['platform'],
): ReadDiscoveryFile {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (platform !== 'win32' && stats.uid !== ownUser()) throw new Error(`it belongs to another user (${stats.uid})`);
    const who = platform === 'win32' ? undefined : whoElseWrites(stats);
    if (who !== undefined) throw new Error(`it is writable by ${who} (mode 0${(stats.mode & 0o777).toString(8)})`);
    if (stats.size > LARGEST) throw new Error(`it has ${stats.size} bytes, too many for such a file`);
    return {
      file,
      pid,
      isAlive,
      isOlder: port === undefined,
      written: stats.mtimeMs,
      ...parseDiscovery(readText(handle, stats.size)),
    };
  } finally {
    closeSync(handle);
  }
}

/** The content at the size that was checked; a file that was cut since has less. */
function readText(handle: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size);
  return bytes.toString('utf8', 0, readSync(handle, bytes, 0, size, 0));
}

function describe(error: unknown): string {
  const {code} = error as NodeJS.ErrnoException;
  if (code === 'ELOOP' || code === 'EMLINK') return 'it is a link';
  if (code === 'EACCES' || code === 'EPERM') return 'it cannot be read (permission denied)';
  if (code === 'ENXIO') return 'it is not a regular file';
  if (code === 'ENOTDIR') return 'a file is where a folder is expected';
  return messageOf(error);
}
