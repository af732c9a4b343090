import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, isAbsolute, join, relative, sep} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin, ManagedReading, PluginFacts, PublicKeys} from '@gemini-kernel/admission';
import {satisfies, type CatalogPlugin} from '@gemini-kernel/kernel/host';
import {makeStoreFolder} from '../install/commit/make-store-folder.js';
import type {ObtainedArchive} from '../install/fetch/obtained-archive.js';
import type {Installer} from '../install/source/installer.js';
import {parseSpec} from '../install/source/parse-spec.js';
import {omitUndefined} from '../omit-undefined.js';
import {assembleTree} from './assemble-tree.js';
import type {BundlePlugin} from './bundle-lock.js';
import type {ListedPlugin} from './bundle.js';
import {archivesOf, takeArchive, type ArchiveSupply} from './locked-archives.js';
import {archiveName} from './open-bundle.js';
import type {WrittenBundle} from './read-bundle.js';

export interface SettleParts {
  /** With a store that no process loads from. */
  readonly installer: Installer;
  readonly supply: ArchiveSupply;
}

/** A plugin that a lock can name, and how it loads together with the others. */
export interface SettledPlugin {
  readonly plugin: BundlePlugin;
  readonly loaded: CatalogPlugin;
}

/**
 * Resolves one plugin of a bundle to a version, its bytes and those of its dependencies. Throws KernelError
 * BUNDLE_INVALID, BUNDLE_LOOSE, and the errors of getting plugins.
 */
export async function settlePlugin(
  listed: ListedPlugin,
  {file: bundleFile, bundle: {keys = {}}}: WrittenBundle,
  {installer, supply}: SettleParts,
): Promise<SettledPlugin> {
  const [{obtainArchive}, {stagePlugin}, {judgePlugin}] = await Promise.all([
    import('../install/fetch/obtain-archive.js'),
    import('../install/stage-plugin.js'),
    import('../install/judge/judge-rules.js'),
  ]);
  const {name, version, from} = listed;
  const work = join(installer.store, `work-${installer.environment.newId()}`);
  await makeStoreFolder(installer.store, installer.scope === 'system');
  await mkdir(work, {recursive: true, mode: 0o755});
  try {
    const archive = await obtainArchive(installer, {
      wanted: parseSpec(from ?? `${name}@${version ?? 'latest'}`, dirname(bundleFile)),
      work,
    });
    await supply.cache.keep(archive.integrity, archive.bytes);
    const file = join(work, archiveName(archive.integrity));
    await writeFile(file, archive.bytes);
    // From here on only these bytes count, wherever they came from; the bundle's own keys vouch for them.
    await using staged = await stagePlugin(
      {...installer, managed: keysOnly(installer, keys)},
      {wanted: {type: 'tarball', location: file, name}},
    );
    const {locked, manifest, root} = staged;
    judgePlugin(installer, factsOfSettled(name, archive, locked));
    checkVersion(locked.version, listed);
    const plugin = lockedPlugin(locked, archive, dirname(bundleFile));
    await proveTree(name, plugin, {installer, supply});
    return {plugin, loaded: {root, origin: 'user', manifest}};
  } finally {
    await rm(work, {recursive: true, force: true});
  }
}

/** No rules; the keys of the administrator and of the bundle. */
function keysOnly({managed}: Installer, keys: PublicKeys): ManagedReading {
  const known = managed.kind === 'rules' ? managed.rules.keys : {};
  return {kind: 'rules', rules: {plugins: {}, sources: {}, keys: {...known, ...keys}}, files: []};
}

/** Its real source, not the file that it was staged from. */
function factsOfSettled(
  name: string,
  {source, integrity, published, provenance}: ObtainedArchive,
  {version, capabilities, signer}: LockedPlugin,
): PluginFacts {
  return {name, version, source, capabilities, integrity, ...omitUndefined({signer, provenance, published})};
}

function checkVersion(found: string, {name, version, from}: ListedPlugin): void {
  if (isWithin(found, version)) return;
  throw new KernelError(
    'BUNDLE_INVALID',
    `The bundle asks for ${name} ${version ?? ''}, but ${from ?? 'the registry'} has ${found}.`,
    {hint: 'Fix the version in the bundle.'},
  );
}

/** The entry of a plugin in the lock of a bundle in a folder. */
function lockedPlugin(
  locked: LockedPlugin,
  {source, integrity, provenance}: ObtainedArchive,
  folder: string,
): BundlePlugin {
  const placed = 'location' in source ? {...source, location: portable(source.location, folder)} : source;
  return {...locked, ...omitUndefined({provenance}), source: placed, integrity, tree: locked.tree ?? ''};
}

/** Assembles a plugin again, from only the archives that an export would contain. */
async function proveTree(name: string, plugin: BundlePlugin, {installer, supply}: SettleParts): Promise<void> {
  const folder = join(installer.store, `proof-${installer.environment.newId()}`);
  try {
    const carried = {archives: new Map<string, Buffer>()};
    const tree = await assembleTree(folder, name, plugin, {
      take: (archive) => takeArchive(archive, carried, supply),
      signal: supply.signal,
    });
    if (tree === plugin.tree) return;
    throw new KernelError(
      'BUNDLE_LOOSE',
      `${name} ${plugin.version} cannot be assembled from its ${archivesOf(name, plugin).length} archives alone.`,
      {hint: 'A plugin can include its dependencies: list them in bundleDependencies in its package.json.'},
    );
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/**
 * A path on this machine, relative to the bundle, so that the lock does not depend on where its folder is; an address
 * is unchanged.
 */
export function portable(location: string, folder: string): string {
  return isAbsolute(location) ? relative(folder, location).split(sep).join('/') : location;
}

/** Whether a version satisfies the bundle; without a wanted version, any does. */
export function isWithin(found: string, wanted: string | undefined): boolean {
  return wanted === undefined || found === wanted || satisfies(found, wanted);
}
