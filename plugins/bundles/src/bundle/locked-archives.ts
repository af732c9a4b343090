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
  /** The plugin that it is, or that needs it. */
  readonly plugin: string;
  /** `node_modules/<name>`, where it is unpacked. */
  readonly place: string;
  readonly version: string;
  readonly integrity: string;
  /** Of what a plugin needs: the address it came from. */
  readonly resolved?: string;
  /** Of a plugin itself. */
  readonly source?: PluginSource;
}

/** What of a plugin says which archives it is made of. */
export type PluginArchives = Pick<BundlePlugin, 'version' | 'integrity' | 'dependencies'> & {
  readonly source?: PluginSource;
};

const PLACE = /^node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*(\/node_modules\/(@[\w.~-]+\/)?[\w~-][\w.~-]*)*$/;

/**
 * The archives of a plugin: its own, then those of what it needs, parents first. Throws KernelError BUNDLE_LOOSE when
 * one has no content to go by.
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
        throw new KernelError('BUNDLE_LOOSE', `${plugin} needs something at ${place}, where nothing can be put.`, {
          hint: 'Lock the bundle anew.',
        });
      // What a package carries inside its own archive has neither.
      if (one.integrity === undefined && one.resolved === undefined) return [];
      if (!one.integrity?.startsWith('sha512-'))
        throw new KernelError(
          'BUNDLE_LOOSE',
          `${plugin} needs ${place.slice(13)} from ${one.resolved ?? 'nowhere'}, and nothing says what its ` +
            'content must be.',
          {hint: 'A bundle can carry only what comes from a registry.'},
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

/** Keeps archives where they can be thrown away, by their content. */
export interface ArchiveCache {
  /** The bytes, if they are there and are still what they were. */
  read(integrity: string): Promise<Buffer | undefined>;
  keep(integrity: string, bytes: Buffer): Promise<void>;
}

/** The cache below a folder; `writer` keeps two processes from writing into one file. */
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

/** Where archives that did not come along are taken from. */
export interface ArchiveSupply {
  readonly cache: ArchiveCache;
  /** Gets one that is not kept either. */
  readonly fetch: (archive: LockedArchive, signal: AbortSignal) => Promise<Buffer>;
  readonly signal: AbortSignal;
}

/**
 * An archive of a bundle: that which came along, or with a supply the kept one, or the fetched one. Throws KernelError
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
      hint: 'Have it exported anew.',
    });
  const bytes = kept ?? (await supply?.fetch(wanted, supply.signal));
  if (!bytes || integrityOf(bytes) !== wanted.integrity)
    throw new KernelError(
      'BUNDLE_TAMPERED',
      `The archive of ${what} is not the one that the lock names (${wanted.integrity.slice(0, 23)}…).`,
      {hint: 'Get the bundle again from where it was made; if that does not help, lock it anew.'},
    );
  if (!kept) await supply?.cache.keep(wanted.integrity, bytes);
  return bytes;
}
