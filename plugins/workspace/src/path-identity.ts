import {constants, type BigIntStats} from 'node:fs';
import {lstat, open, readlink, realpath} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {systemCode} from './real-path.js';

export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

type Entry = BigIntStats | 'moved';

/** True when a real path leads, without a symbolic link, to the file with this device and inode. */
export async function isStillAt(
  path: string,
  {device, inode}: FileIdentity,
  platform: NodeJS.Platform,
): Promise<boolean> {
  try {
    const held = platform === 'linux' ? await entryOfHeldDirectory(path) : undefined;
    const found = held ?? (await entryBetweenLooks(path));
    return found !== 'moved' && found.dev.toString() === device && found.ino.toString() === inode;
  } catch (error) {
    // A path that was removed or became unreachable is not the same file.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * Linux reports where an opened directory is, so it cannot be moved between that answer and the check of its entry.
 * Undefined when the directory may not be listed or there is no /proc.
 */
async function entryOfHeldDirectory(path: string): Promise<Entry | undefined> {
  const directory = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY).catch((error: unknown) => {
    if (systemCode(error) === 'EACCES') return undefined;
    throw error;
  });
  if (directory === undefined) return undefined;
  try {
    const held = `/proc/self/fd/${directory.fd}`;
    const place = await readlink(held).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (place === undefined) return undefined;
    return place === dirname(path) ? await lstat(`${held}/${basename(path)}`, {bigint: true}) : 'moved';
  } finally {
    await directory.close();
  }
}

/** Elsewhere the path is resolved before and after the check, which misses only a swap that is undone in between. */
async function entryBetweenLooks(path: string): Promise<Entry> {
  if ((await realpath(path)) !== path) return 'moved';
  const stats = await lstat(path, {bigint: true});
  return (await realpath(path)) === path ? stats : 'moved';
}
