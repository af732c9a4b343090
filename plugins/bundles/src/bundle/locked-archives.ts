import {rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {PluginSource} from '@gemini-kernel/admission';
import {ARCHIVE_READING} from '../install/fetch/archive-reading.js';
import {integrityOf} from '../install/fetch/integrity.js';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import {archiveName, type OpenBundle} from './open-bundle.js';

/** An archive that a lock names. */
export interface LockedArchive {
  /** The plugin that it is, or that depends on it. */
  readonly plugin: string;
  /** `node_modules/<name>`, where it is unpacked. */
  readonly place: string;
  readonly version: string;
  readonly integrity: string;
  /** For a dependency: the address it came from. */
  readonly resolved?: string;
  /** For the plugin itself. */
  readonly source?: PluginSource;
}

/** The part of a plugin's entry that names its archives. */
export type PluginArchives = Pick<BundlePlugin, 'version' | 'integrity' | 'dependencies'> & {
  readonly source?: PluginSource;
};

const PLACE = /^node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*(\/node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*)*$/;

/**
 * The archives of a plugin: its own, then those of its dependencies, parents first. Throws KernelError BUNDLE_LOOSE
 * when one has no digest.
 */
export function archivesOf(
  plugin: string,
  {version, integrity, source, dependencies = {}}: PluginArchives,
): readonly LockedArchive[] {
  const own = {plugin, place: `node_modules/${plugin}`, version, integrity, ...(source ? {source} : {})};
  const others = Object.entries(dependencies)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([place, one]): LockedArchive[] => {
      if (!PLACE.test(place) || place === own.place)
        throw new KernelError('BUNDLE_LOOSE', `${plugin} has a dependency at ${place}, where nothing can be placed.`, {
          hint: 'Lock the bundle again.',
        });
      // A package that is bundled in another archive has neither.
      if (one.integrity === undefined && one.resolved === undefined) return [];
      if (!one.integrity?.startsWith('sha512-'))
        throw new KernelError(
          'BUNDLE_LOOSE',
          `${plugin} needs ${place.slice(13)} from ${one.resolved ?? 'nowhere'}, and no digest pins its content.`,
          {hint: 'A bundle can contain only dependencies from a registry.'},
        );
      return [
        {
          plugin,
          place,
          version: one.version,
          integrity: one.integrity,
          ...(one.resolved === undefined ? {} : {resolved: one.resolved}),
        },
      ];
    });
  return [own, ...others];
}

/** Every archive that a lock names, each content once. */
export function allArchives({plugins: {installed}}: BundleLock): readonly LockedArchive[] {
  const all = Object.entries(installed).flatMap(([name, plugin]) => archivesOf(name, plugin));
  return [...new Map(all.map((one) => [one.integrity, one])).values()];
}

/** Keeps archives by their content. They can be deleted at any time. */
export interface ArchiveCache {
  /** The bytes, if they are present and intact. */
  read(integrity: string): Promise<Buffer | undefined>;
  keep(integrity: string, bytes: Buffer): Promise<void>;
}

/** The cache below a folder; `writer` keeps two processes from writing to the same file. */
export function archiveCache(folder: string, writer: string): ArchiveCache {
  return {
    async read(integrity) {
      try {
        const bytes = await readRegular(join(folder, archiveName(integrity)), ARCHIVE_READING);
        return integrityOf(bytes) === integrity ? bytes : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async keep(integrity, bytes) {
      const path = join(folder, archiveName(integrity));
      await makePrivateFolder(folder);
      await writeFile(`${path}.${writer}`, bytes);
      await rename(`${path}.${writer}`, path);
    },
  };
}

/** Where to get archives that the bundle does not contain. */
export interface ArchiveSupply {
  readonly cache: ArchiveCache;
  /** Gets one that is not in the cache either. */
  readonly fetch: (archive: LockedArchive, signal: AbortSignal) => Promise<Buffer>;
  readonly signal: AbortSignal;
}

/**
 * An archive of a bundle: from the bundle or, with a supply, from the cache or its source. Throws KernelError
 * BUNDLE_TAMPERED or BUNDLE_ARCHIVE_MISSING.
 */
export async function takeArchive(
  wanted: LockedArchive,
  bundle: Pick<OpenBundle, 'archives'>,
  supply?: ArchiveSupply,
): Promise<Buffer> {
  const what = `${wanted.place.slice(13)} ${wanted.version}`;
  const kept = bundle.archives.get(archiveName(wanted.integrity)) ?? (await supply?.cache.read(wanted.integrity));
  if (!kept && !supply)
    throw new KernelError('BUNDLE_ARCHIVE_MISSING', `The archive of ${what} is not in the bundle.`, {
      hint: 'Ask its author to export it again.',
    });
  const bytes = kept ?? (await supply?.fetch(wanted, supply.signal));
  if (!bytes || integrityOf(bytes) !== wanted.integrity)
    throw new KernelError(
      'BUNDLE_TAMPERED',
      `The archive of ${what} differs from the one in the lock (${wanted.integrity.slice(0, 23)}…).`,
      {hint: 'Get the bundle from its source again. If that does not help, lock it again.'},
    );
  if (!kept) await supply?.cache.keep(wanted.integrity, bytes);
  return bytes;
}
