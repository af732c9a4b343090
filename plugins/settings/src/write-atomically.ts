import {open, rename, rm, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';

/** Who owned the file that is replaced, and its mode. */
export interface FileIdentity {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Writes a text so that other processes see the old file or the new one, and a power cut leaves one of them.
 * Only one writer at a time: the caller holds the lock of the file.
 */
export async function writeAtomically(path: string, text: string, like: FileIdentity | {readonly mode: number}): Promise<void> {
  const temporary = `${path}.tmp`;
  // What a dead writer left, or a link that was put there.
  await rm(temporary, {force: true});
  try {
    const handle = await open(temporary, 'wx', like.mode);
    try {
      if ('uid' in like) await keepIdentity(handle, like);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function keepIdentity(handle: FileHandle, {mode, uid, gid}: FileIdentity): Promise<void> {
  const fresh = await handle.stat();
  // Only root can give a file away; for others the new file is theirs, as with any editor.
  if (fresh.uid !== uid || fresh.gid !== gid) await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & 0o7777);
}

// Windows cannot open directories, and some file systems cannot sync them; the file itself is safe by then.
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
