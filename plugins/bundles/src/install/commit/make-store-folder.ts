import {mkdir} from 'node:fs/promises';
import {makePrivateFolder} from '@gemini-kernel/files';

/** Creates a folder of a store: readable by everyone if all users load from it, else for this user only. */
export async function makeStoreFolder(path: string, isShared: boolean): Promise<void> {
  if (isShared) await mkdir(path, {recursive: true, mode: 0o755});
  else await makePrivateFolder(path);
}
