import {chmod, lstat, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {DISCOVERY_FOLDER} from '../protocol.js';
import {ownUser} from './host-process.js';
import {passOver, reasonOf} from './system-code.js';

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Gives the folder for discovery files below a temporary folder, made if it is missing. Throws an Error that says why
 * when nothing may be written there: where many people share a temporary folder, somebody else may have been first.
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
    if (!found.isDirectory()) throw new Error(`${folder} is no folder.`);
    if (user === undefined) return;
    if (found.uid !== user && found.uid !== 0) throw new Error(`${folder} belongs to another user (${found.uid}).`);
    if ((found.mode & OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0) return;
    if (found.uid !== user) throw new Error(`${folder} can be changed by everybody.`);
    // A generous umask made it so. Files that others put there belong to others, and count for nobody.
    await chmod(folder, found.mode & 0o777 & ~OTHERS_WRITE);
  } catch (error) {
    if (error instanceof Error && !('syscall' in error)) throw error;
    throw new Error(`${folder} cannot be used: ${reasonOf(error)}.`, {cause: error});
  }
}
