import {mkdir} from 'node:fs/promises';
import {makePrivateFolder} from '@gemini-kernel/files';

/** Makes a folder of a store: for everyone to read where all users load from it, else for this user only. */
export async function makeStoreFolder(path: string, isShared: boolean): Promise<void> {
  if (isShared) await mkdir(path, {recursive: true, mode: 0o755});
  else await makePrivateFolder(path);
}
