import {dirname, join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {NpmOptions} from '../install/source/read-npm-options.js';
import {fetchLockedArchive} from './fetch-locked-archive.js';
import {archiveCache, type ArchiveSupply} from './locked-archives.js';
import type {OpenBundle} from './open-bundle.js';

/**
 * Archives of a lock in `folder`: from the cache of this program, else from their source. npm's configuration is read
 * when the first archive has to be fetched.
 */
export function archiveSupply(environment: Environment, folder: string, signal: AbortSignal): ArchiveSupply {
  let options: Promise<NpmOptions> | undefined;
  const readOptions = async (): Promise<NpmOptions> => {
    const {readNpmOptions} = await import('../install/source/read-npm-options.js');
    return readNpmOptions({environment, project: undefined, registry: undefined});
  };
  return {
    cache: archiveCache(join(environment.cacheDir, 'archives'), environment.newId()),
    fetch: async (archive) => fetchLockedArchive(archive, {options: await (options ??= readOptions()), folder, signal}),
    signal,
  };
}

/**
 * Archives of an opened bundle that come from elsewhere; undefined for an exported archive, which contains them all.
 */
export function supplyOf(
  {kind, file, place}: Pick<OpenBundle, 'kind' | 'file' | 'place'>,
  environment: Environment,
  signal: AbortSignal,
): ArchiveSupply | undefined {
  return kind === 'archive' ? undefined : archiveSupply(environment, dirname(file ?? place), signal);
}
