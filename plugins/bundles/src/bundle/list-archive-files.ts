import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {listTree} from '@gemini-kernel/admission';
import {unpackArchive} from '../install/unpack/unpack-archive.js';
import {archiveSupply} from './archive-supply.js';
import type {ListFiles} from './diff-bundles.js';
import {takeArchive} from './locked-archives.js';

/** Lists the files of a plugin's archive if it came with the bundle or is in the cache; fetches nothing. */
export function listArchiveFiles(environment: Environment, signal: AbortSignal): ListFiles {
  const {cache} = archiveSupply(environment, environment.cwd, signal);
  return async (bundle, {version, integrity}) => {
    const folder = join(environment.cacheDir, `diff-${environment.newId()}`);
    try {
      const carried = await takeArchive({plugin: '', place: 'node_modules/', version, integrity}, bundle, {
        cache,
        signal,
        fetch: () => Promise.reject(new KernelError('BUNDLE_ARCHIVE_MISSING', 'A comparison fetches nothing.')),
      });
      await makePrivateFolder(folder);
      await unpackArchive(carried, folder, {signal});
      return new Map(
        listTree(folder)
          .filter(({kind}) => kind !== 'folder')
          .map(({path, digest}) => [path, digest]),
      );
    } catch (error) {
      if (error instanceof KernelError && error.code === 'BUNDLE_ARCHIVE_MISSING') return undefined;
      throw error;
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  };
}
