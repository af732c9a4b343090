import {mkdir, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {pid} from 'node:process';
import {KernelError} from '@gemini-kernel/kernel';
import {hashTree, storeName, type LockedPlugin} from '@gemini-kernel/admission';
import {omitUndefined} from '../omit-undefined.js';
import {systemCode, systemFault} from '../system-faults.js';
import {lockedEntry} from './commit/locked-entry.js';
import {makeStoreFolder} from './commit/make-store-folder.js';
import {placeTree} from './commit/place-tree.js';
import {stagingName} from './commit/sweep-store.js';
import {installDependencies} from './dependencies/install-dependencies.js';
import {obtainArchive} from './fetch/obtain-archive.js';
import type {ObtainedArchive} from './fetch/obtained-archive.js';
import type {Candidate} from './judge/candidate.js';
import {factsOf} from './judge/facts-of.js';
import {findSigner} from './judge/find-signer.js';
import {inspectCandidate} from './judge/inspect-candidate.js';
import {judgePlugin} from './judge/judge-rules.js';
import {installScriptsOf, readPluginPackage, type PluginPackage} from './judge/plugin-package.js';
import type {Installer} from './source/installer.js';
import type {WantedPlugin} from './source/parse-spec.js';
import {unpackArchive} from './unpack/unpack-archive.js';

export interface StageRequest {
  readonly wanted: WantedPlugin;
  /** The locked entry: the result must match it exactly. */
  readonly locked?: LockedPlugin;
  /** The installed entry: if the version is the same, its archive must be the same. */
  readonly pinned?: LockedPlugin;
}

/** A plugin that is staged beside the store, complete and checked; the person was not asked yet. */
export interface StagedPlugin extends Candidate {
  /** Where the package is now. */
  readonly root: string;
  readonly package: PluginPackage;
  readonly files: number;
  readonly bytes: number;
  /** Moves it to its place in the store and returns that folder. Call it while you hold the lock. */
  place(): Promise<string>;
  /** Removes what is still staged. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Fetches, checks and unpacks a plugin with its dependencies, and hashes everything. Changes nothing that is installed
 * and asks no questions.
 */
export async function stagePlugin(
  installer: Installer,
  {wanted, locked, pinned = locked}: StageRequest,
): Promise<StagedPlugin> {
  const staging = join(installer.store, await stagingName(pid, installer.environment.newId()));
  const remove = (): Promise<void> => rm(staging, {recursive: true, force: true, maxRetries: 3});
  try {
    const work = join(staging, 'work');
    await makeStoreFolder(installer.store, installer.scope === 'system');
    await mkdir(work, {recursive: true, mode: 0o755});
    const archive = await obtainArchive(installer, {wanted, work, ...(pinned ? {locked: pinned} : {})});
    const staged = await unpackAndCheck(installer, {archive, staging, work, locked, wanted});
    return {...staged, [Symbol.asyncDispose]: remove};
  } catch (error) {
    // The next run sweeps what cannot be removed now; the first error is the one that matters.
    await remove().catch((failed: unknown) => {
      if (systemCode(failed) === undefined) throw failed;
    });
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot write to ${installer.store}`,
      hint: 'Installed plugins are unchanged. Free some space or grant write access, then try again.',
    });
  }
}

interface Staging {
  readonly archive: ObtainedArchive;
  readonly staging: string;
  readonly work: string;
  readonly wanted: WantedPlugin;
  readonly locked: LockedPlugin | undefined;
}

async function unpackAndCheck(
  installer: Installer,
  {archive, staging, work, wanted, locked: before}: Staging,
): Promise<Omit<StagedPlugin, typeof Symbol.asyncDispose>> {
  const {bytes, integrity, source, provenance, ...told} = archive;
  const unpacked = join(work, 'package');
  const size = await unpackArchive(bytes, unpacked, {signal: installer.signal});
  const own = await readPluginPackage(unpacked);
  checkName(own, wanted, before);
  // Also check the name, which may be known only from the archive.
  const manifest = await inspectCandidate(installer, unpacked, own);
  const {signer, unknownKey} = await findSigner(installer, unpacked, own.name);
  const folder = join(staging, 'tree');
  const root = join(folder, 'node_modules', ...own.name.split('/'));
  await mkdir(dirname(root), {recursive: true, mode: 0o755});
  await rename(unpacked, root);
  const {dependencies, scripts} = await installDependencies(installer, {
    package: own,
    folder,
    work,
    ...(before ? {locked: before.dependencies ?? {}} : {}),
  });
  await rm(work, {recursive: true, force: true, maxRetries: 3});
  const tree = hashTree(folder);
  if (before?.tree !== undefined && before.tree !== tree) throw changed(own, before.tree, tree);
  const proof = omitUndefined({signer, provenance});
  const locked = lockedEntry(manifest, {version: own.version, source, integrity, tree, ...proof, dependencies});
  judgePlugin(installer, {...factsOf(own.name, locked), ...omitUndefined({published: told.published})});
  return {
    root,
    manifest,
    locked,
    package: own,
    files: size.files,
    bytes: size.bytes,
    ...told,
    ...omitUndefined({unknownKey}),
    scripts: [...installScriptsOf(own).map((name) => `${own.name} (${name})`), ...scripts],
    place: () => placeTree(folder, join(installer.store, storeName(own.name, locked)), tree),
  };
}

function checkName({name, version}: PluginPackage, wanted: WantedPlugin, before: LockedPlugin | undefined): void {
  if (wanted.name !== undefined && wanted.name !== name)
    throw new KernelError('PLUGIN_UNFIT', `The archive of ${wanted.name} contains ${name}.`, {
      hint: 'Nothing was installed. Report it to the operator of the registry.',
    });
  if (before && before.version !== version)
    throw new KernelError(
      'INSTALL_CHANGED',
      `The lock names ${name} ${before.version}, but its source now has ${version}.`,
      {hint: 'Run `gemini plugins update` to take the new one into the lock.'},
    );
}

function changed({name, version}: PluginPackage, wanted: string, found: string): KernelError {
  return new KernelError(
    'INSTALL_CHANGED',
    `The files of ${name} ${version} differ from the lock: expected ${wanted.slice(0, 20)}…, got ` +
      `${found.slice(0, 20)}….`,
    {
      hint:
        'Optional dependencies for another kind of machine can also cause this. Run `gemini plugins update` ' +
        'to lock what is there.',
    },
  );
}
