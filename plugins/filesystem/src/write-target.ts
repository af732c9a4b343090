import {access, constants} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {isToolError, ToolError} from '@gemini-kernel/kernel';
import type {Buffers, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {writeAtomically} from './atomic-write.js';
import {withBuffer, writeToBuffer} from './buffered.js';
import type {Versions} from './contract.js';
import {diskError} from './disk-error.js';
import {openFolder, type Folder} from './folder.js';
import {
  ALWAYS_HASHED,
  checkVersion,
  openFile,
  READ_LIMIT,
  readWhole,
  versionOf,
  type OpenedFile,
} from './opened-file.js';

/** A file as it is before a write. */
export interface ExistingFile extends Pick<OpenedFile, 'path' | 'stat' | 'edited'> {
  /** The whole content, or its start when the file is over the limit for reading. */
  readonly bytes: Buffer;
}

/** A place for a write: an opened directory and the file there now. The caller closes it. */
export interface WriteTarget {
  readonly path: string;
  readonly folder: Folder;
  readonly existing: ExistingFile | undefined;
}

type Confirmer = Pick<Workspace, 'confirm'>;

interface OpeningOptions {
  readonly workspace: Confirmer;
  readonly buffers: Buffers;
  readonly signal: AbortSignal;
  readonly create: boolean;
  /** In bytes; READ_LIMIT when left out. */
  readonly limit?: number;
}

interface ReadingOptions {
  readonly workspace: Confirmer;
  readonly buffers: Buffers;
  readonly signal: AbortSignal;
  /** Another way to the same place, through an opened directory. */
  readonly at?: string;
  /** In bytes; READ_LIMIT when left out. */
  readonly limit?: number;
}

/** Opens the directory of a real path, creating it if `create` says so, and reads the file if it exists. */
export async function openTarget(
  path: string,
  {workspace, buffers, signal, create, limit = READ_LIMIT}: OpeningOptions,
): Promise<WriteTarget> {
  const folder = await openFolder(dirname(path), {workspace, create}).catch((error: unknown) => {
    if (isToolError(error) && error.code === 'FOLDER_MISSING') throw fileMissing(path, error);
    throw error;
  });
  try {
    const existing = await readExisting(path, {workspace, buffers, signal, at: folder.at(basename(path)), limit});
    return {path, folder, existing};
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The error for an edit of a missing file. */
export function fileMissing(path: string, cause?: unknown): ToolError {
  return new ToolError('FILE_MISSING', `Cannot edit ${path}: it does not exist.`, {
    cause,
    hint: 'Check the path, or use an empty old_string to create the file.',
  });
}

/** The file at a real path, as an editor has it, or undefined when there is none. */
export async function readExisting(path: string, options: ReadingOptions): Promise<ExistingFile | undefined> {
  const {workspace, at = path, limit = READ_LIMIT} = options;
  let file: OpenedFile;
  try {
    file = await openFile(path, workspace, {at});
  } catch (error) {
    if (isToolError(error) && error.code === 'FILE_MISSING') return undefined;
    throw error;
  }
  try {
    const {stat} = file;
    const {edited} = await withBuffer(file, options);
    if (edited) return {path, stat, edited, bytes: edited};
    if (stat.size <= BigInt(limit)) return {path, stat, bytes: await readWhole(file, limit)};
    const head = Buffer.alloc(4);
    await file.handle.read(head, 0, head.length, 0);
    return {path, stat, bytes: head};
  } finally {
    await file.handle.close();
  }
}

/**
 * Writes the pieces of a content at the target and records the version; refuses when the file is not what the session
 * last saw.
 */
export async function commit(
  {path, folder, existing}: WriteTarget,
  pieces: readonly Buffer[],
  {versions, buffers, signal}: {readonly versions: Versions; readonly buffers: Buffers; readonly signal: AbortSignal},
): Promise<void> {
  if (existing !== undefined) {
    checkVersion(await versions.recall(path), existing);
    await checkWritable(existing, folder);
  }
  if (buffers.isUsed) {
    const version = await writeToBuffer(path, Buffer.concat(pieces), {buffers, signal, before: existing?.bytes});
    if (version) return versions.remember(path, version);
  }
  const stat = await writeAtomically({folder, path, pieces, signal, name: basename(path), previous: existing?.stat});
  // A large content is known by its stamp alone: hashing takes as long as writing.
  await versions.remember(
    path,
    versionOf(stat, stat.size <= BigInt(ALWAYS_HASHED) ? Buffer.concat(pieces) : undefined),
  );
}

/** A rename needs no permission on the file it replaces; this checks it anyway. */
async function checkWritable({path, stat}: ExistingFile, folder: Folder): Promise<void> {
  if ((Number(stat.mode) & 0o222) === 0) {
    throw new ToolError('FILE_READ_ONLY', `${path} is read-only: it has no write permission for any user.`, {
      hint: 'Do not change it, or ask the user whether to make it writable.',
    });
  }
  await access(folder.at(basename(path)), constants.W_OK).catch((cause: unknown) => {
    throw diskError(cause, path, 'write');
  });
}

/**
 * A sentence for a file with other names: they keep the old content, because a write in one step creates a new file.
 */
export function otherNamesOf({existing}: WriteTarget): string {
  if (existing === undefined || existing.stat.nlink <= 1n) return '';
  return ` The file had ${existing.stat.nlink} names (hard links); the others keep the old content.`;
}
