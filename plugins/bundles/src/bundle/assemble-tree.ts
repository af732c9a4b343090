import {join} from 'node:path';
import {hashTree} from '@gemini-kernel/admission';
import {unpackArchive} from '../install/unpack/unpack-archive.js';
import {archivesOf, type LockedArchive, type PluginArchives} from './locked-archives.js';

export interface ArchiveGiver {
  take(archive: LockedArchive): Promise<Buffer>;
  readonly signal: AbortSignal;
}

/**
 * Assembles a plugin and its dependencies in a folder, from archives alone, and returns the digest of the whole tree.
 */
export async function assembleTree(
  folder: string,
  name: string,
  plugin: PluginArchives,
  from: ArchiveGiver,
): Promise<string> {
  for (const archive of archivesOf(name, plugin)) {
    from.signal.throwIfAborted();
    await unpackArchive(await from.take(archive), join(folder, ...archive.place.split('/')), {signal: from.signal});
  }
  return hashTree(folder);
}
