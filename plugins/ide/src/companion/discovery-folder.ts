import {chmod, lstat, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {DISCOVERY_FOLDER} from '../protocol.js';
import {ownUser} from './host-process.js';
import {passOver, reasonOf} from './system-code.js';

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Gives the folder for discovery files below a temporary folder, and creates it if it is missing. Throws an Error with
 * the reason when it is not safe to write there: in a shared temporary folder, another user may have created it first.
 */
export async function prepareFolder(temporary: string): Promise<string> {
  let folder = temporary;
  for (const name of DISCOVERY_FOLDER) {
    folder = join(folder, name);
    await makeOwn(folder);
  }
  return folder;
}

async function makeOwn(folder: string): Promise<void> {
  const user = ownUser();
  try {
    await mkdir(folder, {mode: 0o700}).catch((error: unknown) => passOver(error, 'EEXIST'));
    const found = await lstat(folder);
    if (!found.isDirectory()) throw new Error(`${folder} is not a folder.`);
    if (user === undefined) return;
    if (found.uid !== user && found.uid !== 0) throw new Error(`${folder} belongs to another user (${found.uid}).`);
    if ((found.mode & OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0) return;
    if (found.uid !== user) throw new Error(`${folder} is writable by everyone.`);
    // A permissive umask caused this. Files that others put there belong to them, and gemini ignores them.
    await chmod(folder, found.mode & 0o777 & ~OTHERS_WRITE);
  } catch (error) {
    if (error instanceof Error && !('syscall' in error)) throw error;
    throw new Error(`Cannot use ${folder}:  ${reasonOf(error)}.`, {cause: error});
  }
}
