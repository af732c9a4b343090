import {mkdir, open, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {pid} from 'node:process';
import {readText} from '@gemini-kernel/files';
import {passOver} from '../../system-faults.js';
import {renameSteadily} from './rename-steadily.js';

/** Writes a file so that readers find the old text or the new one, even after a power cut. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${pid}.new`;
  await mkdir(folder, {recursive: true, mode: 0o755});
  try {
    await writeLasting(temporary, text);
    await renameSteadily(temporary, path);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
  await syncFolder(folder);
}

/** Writes a file so that, even after a power cut, a file with this name is complete. */
export async function writeLasting(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows and some network file systems cannot sync folders.
  const file = await open(folder, 'r').catch((error: unknown) => passOver(error, 'EISDIR', 'EPERM', 'EACCES'));
  try {
    await file?.sync().catch((error: unknown) => passOver(error, 'EINVAL', 'EPERM', 'EBADF', 'ENOTSUP'));
  } finally {
    await file?.close();
  }
}

/** The text of a file, undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readText(path).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR'));
}
