import {mkdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {pid} from 'node:process';
import {KernelError} from '@gemini-kernel/kernel';
import {hashTree, storeName} from '@gemini-kernel/admission';
import type {CatalogPlugin, Manifest} from '@gemini-kernel/kernel/host';
import {inspectCandidate} from '../install/judge/inspect-candidate.js';
import type {Installer} from '../install/source/installer.js';
import {makeStoreFolder} from '../install/commit/make-store-folder.js';
import {readPluginPackage} from '../install/judge/plugin-package.js';
import {renameSteadily} from '../install/commit/rename-steadily.js';
import {stagingName} from '../install/commit/sweep-store.js';
import {assembleTree} from './assemble-tree.js';
import type {BundleLock, BundlePlugin} from './bundle-lock.js';
import type {LockedArchive} from './locked-archives.js';

/** The plugins of a bundle, staged beside the store; no process loads them yet. */
export interface StagedBundle {
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Moves every tree to its place in the store. Call it while you hold the lock. */
  place(): Promise<void>;
  /** Removes what is still staged. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Assembles every plugin of a bundle from archives and checks it against the lock: its files, its name, its
 * capabilities, and whether it loads together with the others. Throws KernelError BUNDLE_TAMPERED or BUNDLE_UNFIT, and
 * the errors of `take`.
 */
export async function stageLocked(
  installer: Installer,
  lock: BundleLock,
  take: (archive: LockedArchive) => Promise<Buffer>,
): Promise<StagedBundle> {
  const staging = join(installer.store, await stagingName(pid, installer.environment.newId()));
  const remove = (): Promise<void> => rm(staging, {recursive: true, force: true, maxRetries: 3});
  const manifests = new Map<string, Manifest>();
  const moves: {readonly folder: string; readonly target: string; readonly tree: string}[] = [];
  let {present} = installer;
  try {
    await makeStoreFolder(installer.store, installer.scope === 'system');
    await mkdir(staging, {recursive: true, mode: 0o755});
    for (const [name, plugin] of Object.entries(lock.plugins.installed)) {
      const folder = join(staging, String(moves.length));
      const tree = await assembleTree(folder, name, plugin, {take, signal: installer.signal});
      if (tree !== plugin.tree)
        throw tampered(
          name,
          plugin,
          `its files have the digest ${tree.slice(0, 23)}…, but the lock names ${plugin.tree.slice(0, 23)}…`,
        );
      const root = join(folder, 'node_modules', ...name.split('/'));
      const manifest = await readStaged({...installer, present}, {root, name, plugin});
      manifests.set(name, manifest);
      const loaded: CatalogPlugin = {
        root,
        origin: 'user',
        manifest,
        ...(plugin.replaces ? {replaces: plugin.replaces} : {}),
      };
      present = [...present.filter((one) => one.manifest.name !== name), loaded];
      moves.push({folder, target: join(installer.store, storeName(name, plugin)), tree});
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    manifests,
    async place() {
      for (const move of moves) await placeTree(move);
    },
    [Symbol.asyncDispose]: remove,
  };
}

async function readStaged(
  installer: Installer,
  {root, name, plugin}: {readonly root: string; readonly name: string; readonly plugin: BundlePlugin},
): Promise<Manifest> {
  const own = await readPluginPackage(root);
  if (own.name !== name || own.version !== plugin.version)
    throw tampered(name, plugin, `its archive contains ${own.name} ${own.version}`);
  const manifest = await inspectCandidate(installer, root, own).catch((cause: unknown) => {
    if (!(cause instanceof KernelError)) throw cause;
    throw new KernelError('BUNDLE_UNFIT', cause.message, {
      cause,
      hint: 'Ask the author of the bundle for one that fits this version.',
    });
  });
  const [declared, locked] = [
    [...(manifest.capabilities ?? [])].sort().join(' '),
    [...plugin.capabilities].sort().join(' '),
  ];
  if (declared !== locked)
    throw tampered(name, plugin, `it declares ${declared || 'nothing'}, but the lock says ${locked || 'nothing'}`);
  return manifest;
}

function tampered(name: string, {version}: BundlePlugin, reason: string): KernelError {
  return new KernelError('BUNDLE_TAMPERED', `${name} ${version} differs from the lock of the bundle: ${reason}.`, {
    hint: 'Get the bundle from its source again. If that does not help, ask its author to lock it again.',
  });
}

/** An intact tree that is already in the store stays; a damaged one is replaced. */
async function placeTree({
  folder,
  target,
  tree,
}: {
  readonly folder: string;
  readonly target: string;
  readonly tree: string;
}): Promise<void> {
  if (isWhole(target, tree)) return;
  await rm(target, {recursive: true, force: true, maxRetries: 3});
  await renameSteadily(folder, target);
}

function isWhole(folder: string, tree: string): boolean {
  try {
    return hashTree(folder) === tree;
  } catch {
    // Missing, or it contains what no tree may: put it there again.
    return false;
  }
}
