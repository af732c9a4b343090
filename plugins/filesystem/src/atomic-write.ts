import {constants, type BigIntStats} from 'node:fs';
import {lstat, open, rename, unlink, type FileHandle} from 'node:fs/promises';
import {sweepBeside, writerMark} from '@gemini-kernel/files/writing';
import {ToolError} from '@gemini-kernel/kernel';
import {diskError, errnoOf} from './disk-error.js';
import type {Folder} from './folder.js';

export interface AtomicWrite {
  readonly folder: Folder;
  readonly name: string;
  /** For messages. */
  readonly path: string;
  /** The new content, one piece after the other. */
  readonly pieces: readonly Buffer[];
  /** The file's version when it was read; undefined = there was no file. It must still be the same. */
  readonly previous: BigIntStats | undefined;
  readonly signal: AbortSignal;
}

const {O_NOFOLLOW = 0} = constants as Partial<typeof constants>;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
const TEMPORARY = '.gemini-write';

/**
 * Replaces the file with `pieces` in one step, with its mode and, if allowed, its owner: a reader, a crash or a full
 * disk sees the old content or the new one, never a part. Returns the new version. Throws ToolErrors.
 */
export async function writeAtomically(write: AtomicWrite): Promise<BigIntStats> {
  const {folder, name, path, previous, signal} = write;
  let temporary: string | undefined;
  try {
    const created = await createTemporary(folder, previous === undefined ? 0o666 : 0o600);
    temporary = created.path;
    await fillTemporary(created.handle, write);
    await checkUnchanged(write);
    signal.throwIfAborted();
    await rename(temporary, folder.at(name));
    temporary = undefined;
    await folder.sync();
    return await lstat(folder.at(name), {bigint: true});
  } catch (cause) {
    throw diskError(cause, path, 'write');
  } finally {
    if (temporary !== undefined) await removeTemporary(temporary);
  }
}

/** Remove leftovers of killed programs in the folder first. */
async function createTemporary(folder: Folder, mode: number): Promise<{path: string; handle: FileHandle}> {
  await sweepBeside(folder.at(TEMPORARY));
  const path = folder.at(`${TEMPORARY}.${writerMark()}.tmp`);
  return {path, handle: await open(path, FLAGS, mode)};
}

async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    // The first failure is the one to report; a file that cannot be removed matters less.
    if (errnoOf(error) === undefined) throw error;
  });
}

async function fillTemporary(handle: FileHandle, {pieces, previous, signal}: AtomicWrite): Promise<void> {
  try {
    if (previous !== undefined) await adoptOwnerAndMode(handle, previous);
    await writeAll(handle, pieces, signal);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function adoptOwnerAndMode(handle: FileHandle, {uid, gid, mode}: BigIntStats): Promise<void> {
  const own = await handle.stat({bigint: true});
  if (own.uid !== uid || own.gid !== gid) {
    await handle.chown(Number(uid), Number(gid)).catch((error: unknown) => {
      // Only root may change the owner; the content matters more.
      if (!['EPERM', 'EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
    });
  }
  await handle.chmod(Number(mode) & 0o7777);
}

async function writeAll(handle: FileHandle, pieces: readonly Buffer[], signal: AbortSignal): Promise<void> {
  for (const piece of pieces) {
    for (let done = 0; done < piece.length;) {
      signal.throwIfAborted();
      const {bytesWritten} = await handle.write(piece, done, piece.length - done);
      done += bytesWritten;
    }
  }
}

async function checkUnchanged({folder, name, path, previous}: AtomicWrite): Promise<void> {
  const now = await lstat(folder.at(name), {bigint: true}).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return undefined;
  });
  const same =
    previous === undefined || now === undefined
      ? previous === now
      : (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((key) => previous[key] === now[key]);
  if (same) return;
  const event = previous === undefined ? 'appeared' : now === undefined ? 'disappeared' : 'changed';
  throw new ToolError('FILE_CHANGED', `${path} ${event} while it was being written.`, {
    hint: 'Nothing was written. Read the file again, then make the change on its current content.',
  });
}
