import {resolve} from 'node:path';
import {readRegular} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {ARCHIVE_READING, LARGEST_ARCHIVE} from '../install/fetch/archive-reading.js';
import type {NpmOptions} from '../install/source/read-npm-options.js';
import type {LockedArchive} from './locked-archives.js';

interface FetchParts {
  readonly options: NpmOptions;
  /** The folder of the lock: paths in the lock are relative to it. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Gets an archive from the source in the lock; the caller checks whether it is still the same. Throws KernelError
 * BUNDLE_ARCHIVE_MISSING, and the errors of fetching.
 */
export async function fetchLockedArchive(
  archive: LockedArchive,
  {options, folder, signal}: FetchParts,
): Promise<Buffer> {
  const place = archive.resolved ?? (await findPlace(archive, options, signal));
  const what = `${archive.place.slice(13)} ${archive.version}`;
  if (/^https?:\/\//.test(place)) {
    const {fetchBytes} = await import('../install/fetch/registry-client.js');
    return fetchBytes({url: place, options, what, limit: LARGEST_ARCHIVE, signal, integrity: archive.integrity});
  }
  try {
    return await readRegular(resolve(folder, place.replace(/^file:/, '')), {...ARCHIVE_READING, signal});
  } catch (cause) {
    signal.throwIfAborted();
    throw missing(what, messageOf(cause), cause);
  }
}

async function findPlace(
  {plugin, version, source}: LockedArchive,
  options: NpmOptions,
  signal: AbortSignal,
): Promise<string> {
  if (source?.type === 'tarball') return source.location;
  if (source?.type !== 'registry')
    throw missing(
      `${plugin} ${version}`,
      `it was packed from ${source?.type === 'git' ? 'a repository' : 'a folder'} when the bundle was ` +
        'locked, and is no longer in the cache',
    );
  const {resolveFromRegistry} = await import('../install/fetch/resolve-registry.js');
  const scope = plugin.startsWith('@') ? {[`${plugin.split('/')[0] ?? ''}:registry`]: source.registry} : {};
  return (
    await resolveFromRegistry({
      name: plugin,
      wanted: version,
      options: {...options, registry: source.registry, ...scope},
      signal,
    })
  ).archive;
}

function missing(what: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('BUNDLE_ARCHIVE_MISSING', `Cannot get the archive of ${what}: ${reason}.`, {
    cause,
    hint: 'Lock the bundle with --update on this machine, or export it on the machine where it was locked.',
  });
}
