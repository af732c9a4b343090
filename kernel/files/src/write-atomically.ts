import {open, rename, rm, writeFile, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {PRIVATE_FILE} from './private-folder.js';
import {writerMark} from './process-mark.js';
import {sweepBeside} from './sweep-left.js';

/** Who owned the file that is replaced, and its mode. */
export interface FileIdentity {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What is large comes in pieces. */
type Content = string | Uint8Array | Iterable<Uint8Array>;

export interface AtomicWrite {
  /** What the file that is replaced was; a new file is for its owner only. */
  readonly like?: Partial<FileIdentity> & Pick<FileIdentity, 'mode'>;
  /** Whether a power cut must leave the old file or the new one. Without it, it may leave neither. */
  readonly durable?: boolean;
}

/**
 * Writes a file so that other processes see the old one or the new one. What it wrote until it failed is removed;
 * what a writer that was killed left beside it too. Two that write at once do not meet: the last one counts.
 */
export async function writeAtomically(path: string, content: Content, options: AtomicWrite = {}): Promise<void> {
  const {like = {mode: PRIVATE_FILE}, durable = true} = options;
  const temporary = `${path}.${writerMark()}.tmp`;
  await sweepBeside(path);
  try {
    const handle = await open(temporary, 'wx', like.mode & 0o777);
    try {
      if (like.uid !== undefined) await keepIdentity(handle, like);
      await writeFile(handle, content);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
  if (durable) await syncFolder(dirname(path));
}

async function keepIdentity(handle: FileHandle, {mode, uid, gid}: NonNullable<AtomicWrite['like']>): Promise<void> {
  const fresh = await handle.stat();
  const owner = {uid: uid ?? fresh.uid, gid: gid ?? fresh.gid};
  // Only root can give a file away; for others the new file is theirs, as with any editor.
  const isSame = fresh.uid === owner.uid && fresh.gid === owner.gid;
  if (!isSame) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
  await handle.chmod(mode & 0o7777);
}

/** Windows cannot open folders, and some file systems cannot sync them; the file itself is safe by then. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
