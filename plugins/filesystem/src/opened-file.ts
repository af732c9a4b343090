import {createHash} from 'node:crypto';
import {constants, type BigIntStats} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {ToolError} from '@gemini-kernel/kernel';
import type {AccessOptions, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {FileVersion} from './contract.js';
import {diskError} from './disk-error.js';

/** The most that is read of one file at once. */
export const READ_LIMIT = 20 * 1024 * 1024;

/** The most that is edited: the file is in memory once, and the new content refers to it. */
export const EDIT_LIMIT = 256 * 1024 * 1024;

/**
 * Up to this size a content is compared by its hash even when the stamp agrees: stamps are as coarse as the system's
 * clock.
 */
export const ALWAYS_HASHED = 1024 * 1024;

export interface OpenedFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
  /** Its content where an editor has another one than the disk. */
  readonly edited?: Buffer;
}

/** How many bytes a file has, where they count. */
export function sizeOf({stat, edited}: Pick<OpenedFile, 'stat' | 'edited'>): number {
  return edited?.length ?? Number(stat.size);
}

/** What `workspace.confirm` needs to know about an opened file or directory. */
export function identityOf({dev, ino}: BigIntStats): {device: string; inode: string} {
  return {device: String(dev), inode: String(ino)};
}

// Windows has neither flag. O_NONBLOCK: opening a pipe must not wait for its writer.
const {O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants as Partial<typeof constants>;

/**
 * Opens the regular file at a real path and has the workspace confirm that it is the one that was checked. `at` is
 * another way to the same place, through an opened directory. The caller closes the handle.
 */
export async function openFile(
  path: string,
  workspace: Pick<Workspace, 'confirm'>,
  {at = path, access = 'write'}: AccessOptions & {readonly at?: string} = {},
): Promise<OpenedFile> {
  const handle = await open(at, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause: unknown) => {
    throw diskError(cause, path, 'read');
  });
  try {
    const stat = await handle.stat({bigint: true});
    if (stat.isDirectory()) {
      throw new ToolError('FILE_IS_DIRECTORY', `${path} is a directory.`, {
        hint: 'Use list_directory to see what is in it.',
      });
    }
    if (!stat.isFile()) throw new ToolError('FILE_IS_SPECIAL', `${path} is a device, a pipe or a socket, not a file.`);
    await workspace.confirm(path, identityOf(stat), {access});
    return {path, handle, stat};
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads from `position` until the buffer is full or the file ends; returns the number of bytes. */
export async function fill(handle: FileHandle, buffer: Buffer, position = 0): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const {bytesRead} = await handle.read(buffer, length, buffer.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** The whole content; throws FILE_TOO_LARGE above `limit` bytes. */
export async function readWhole({path, handle, stat, edited}: OpenedFile, limit = READ_LIMIT): Promise<Buffer> {
  if (edited && edited.length <= limit) return edited;
  if (stat.size > BigInt(limit)) throw tooLarge(path, stat.size, limit);
  const buffer = Buffer.allocUnsafe(Number(stat.size));
  const length = await fill(handle, buffer).catch((cause: unknown) => {
    throw diskError(cause, path, 'read');
  });
  return buffer.subarray(0, length);
}

/** The error for a file that is larger than may be read at once. */
export function tooLarge(path: string, size: bigint, limit: number): ToolError {
  const sentence = `${path} is ${megabytes(Number(size))} MB; the limit for one read is ${megabytes(limit)} MB.`;
  return new ToolError('FILE_TOO_LARGE', sentence, {
    hint: 'Read it in parts with read_file and start_line and end_line, or search it.',
  });
}

function megabytes(bytes: number): string {
  return String(Math.round((bytes / 1024 / 1024) * 10) / 10);
}

/** The error for a file that is larger than may be edited. */
export function tooLargeToEdit(path: string, size: bigint): ToolError {
  const sentence =
    `${path} is ${megabytes(Number(size))} MB; replace edits files of at most ` + `${megabytes(EDIT_LIMIT)} MB.`;
  const hint = 'Change it with a program that reads it in pieces: run_shell_command with sed, perl or a script.';
  return new ToolError('FILE_TOO_LARGE', sentence, {hint});
}

/** The error for a large file that does not contain the exact text. */
export function tooLargeToCompare(path: string, size: bigint): ToolError {
  const rule = `Above ${megabytes(READ_LIMIT)} MB replace looks only for the exact bytes of old_string in UTF-8`;
  const sentence = `${path} is ${megabytes(Number(size))} MB. ${rule}, and they are not in it.`;
  const hint = [
    'Copy old_string from the file with read_file, start_line and end_line.',
    'If lines end with CRLF, use a part of one line.',
  ].join(' ');
  return new ToolError('FILE_TOO_LARGE', sentence, {hint});
}

/** The version of a file; without the hash of its content when only a part was read. */
export function versionOf(stat: BigIntStats, content?: Buffer): FileVersion {
  const stamp = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':');
  return content === undefined ? {stamp} : {stamp, sha256: sha256Of(content)};
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Throws FILE_CHANGED unless the file is the version that the session knows. `bytes`: its whole content, or less when
 * it is too large.
 */
export function checkVersion(
  known: FileVersion | undefined,
  {path, stat, edited, bytes}: Pick<OpenedFile, 'path' | 'stat' | 'edited'> & {readonly bytes: Buffer},
): void {
  if (known === undefined) return;
  const sameStamp = versionOf(stat).stamp === known.stamp;
  const byStamp =
    known.sha256 === undefined ||
    (!edited && (bytes.length !== Number(stat.size) || (sameStamp && bytes.length > ALWAYS_HASHED)));
  if (byStamp ? sameStamp : sha256Of(bytes) === known.sha256) return;
  throw new ToolError('FILE_CHANGED', `${path} has changed since it was last read in this session.`, {
    hint: 'Nothing was written. Read the file again, then make the change on its current content.',
  });
}
