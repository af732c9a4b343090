import {constants, type Dirent} from 'node:fs';
import {lstat, open, readdir} from 'node:fs/promises';
import {systemCodeOf} from '../read/system-code.js';
import type {Disk, DiskEntry} from './disk.js';

/** The disk of this machine. */
export const systemDisk: Disk = {list, kind, read};

async function list(folder: string): Promise<readonly DiskEntry[] | undefined> {
  try {
    return (await readdir(folder, {withFileTypes: true})).map((entry) => ({name: entry.name, kind: kindOf(entry)}));
  } catch (error) {
    return unlessBug(error);
  }
}

async function kind(path: string): Promise<DiskEntry['kind'] | undefined> {
  try {
    return kindOf(await lstat(path));
  } catch (error) {
    return unlessBug(error);
  }
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): DiskEntry['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
}

async function read(file: string, most: number): Promise<Buffer | undefined> {
  try {
    // A pipe would keep an ordinary open waiting for its other end.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      return stats.isFile() && stats.size <= most ? await handle.readFile() : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    return unlessBug(error);
  }
}

/** What the system refuses is not there; anything else is a mistake of ours. */
function unlessBug(error: unknown): undefined {
  systemCodeOf(error);
  return undefined;
}
