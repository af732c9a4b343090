import {constants} from 'node:fs';
import {mkdir, open, stat, type FileHandle} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {AccessOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {diskError, errnoOf} from './disk-error.js';
import {identityOf} from './opened-file.js';

/** An opened directory that the workspace has confirmed. */
export interface Folder {
  /**
   * The way to `name` in it. Where the system can, it leads through the open handle, so that swapping the path above
   * changes nothing.
   */
  at(name: string): string;
  /** Makes a rename in it survive a crash, where the system can. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FolderOptions extends AccessOptions {
  readonly workspace: Pick<Workspace, 'confirm'>;
  /** Makes missing directories, each inside its confirmed parent. */
  readonly create?: boolean;
  /** Where the system shows open handles as paths; only Linux has it, elsewhere paths are used. */
  readonly handles?: string;
}

// Windows has neither flag.
const {O_DIRECTORY = 0, O_NOFOLLOW = 0} = constants as Partial<typeof constants>;
const FLAGS = constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

/**
 * Opens the directory at a real path; throws a ToolError when it is missing, not a directory, or no longer the one
 * that was checked.
 */
export async function openFolder(path: string, options: FolderOptions): Promise<Folder> {
  const handle = await openOrCreate(path, options).catch((cause: unknown) => {
    throw diskError(cause, path, 'list');
  });
  try {
    const identity = identityOf(await handle.stat({bigint: true}));
    await options.workspace.confirm(path, identity, {access: options.access ?? 'write'});
    const through = `${options.handles ?? '/proc/self/fd'}/${handle.fd}`;
    const anchor = (await leadsTo(through, identity)) ? through : path;
    return {at: (name) => join(anchor, name), sync: () => syncDirectory(handle), close: () => handle.close()};
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openOrCreate(path: string, options: FolderOptions): Promise<FileHandle> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || !options.create || dirname(path) === path) throw error;
  }
  const parent = await openFolder(dirname(path), options);
  try {
    const place = parent.at(basename(path));
    await mkdir(place).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw diskError(error, path, 'write');
    });
    return await open(place, FLAGS);
  } finally {
    await parent.close();
  }
}

async function leadsTo(path: string, identity: {readonly device: string; readonly inode: string}): Promise<boolean> {
  try {
    const found = identityOf(await stat(path, {bigint: true}));
    return found.device === identity.device && found.inode === identity.inode;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

async function syncDirectory(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems, and Windows, cannot sync a directory; the rename has still happened.
    if (!['EINVAL', 'EPERM', 'EACCES', 'EBADF', 'ENOTSUP', 'EISDIR'].includes(errnoOf(error) ?? '')) throw error;
  }
}
