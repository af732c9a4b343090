import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {readLock, storeName, type LockedPlugin} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {holdStore} from './commit/hold-store.js';
import {isWhole} from './commit/place-tree.js';
import {rememberLock} from './commit/sweep-store.js';
import {askConsent, type ConsentMeans} from './judge/ask-consent.js';
import type {Installer} from './source/installer.js';
import {exactlyAsLocked, fromItsRegistry} from './source/wanted-from-lock.js';
import {stagePlugin} from './stage-plugin.js';

export interface RestoredPlugin {
  readonly name: string;
  readonly version: string;
  /** Whether it had to be fetched. */
  readonly changed: boolean;
  readonly locked: LockedPlugin;
}

/**
 * Puts into the store what a lock names and the store does not have, byte for byte as locked. The lock is unchanged.
 * Throws KernelError INSTALL_FROZEN when there is no lock.
 */
export async function installLocked(installer: Installer, consent: ConsentMeans): Promise<readonly RestoredPlugin[]> {
  const lock = await readLock(installer.lock, installer.schemas.lock);
  if (!lock)
    throw new KernelError('INSTALL_FROZEN', `There is no lock at ${installer.lock} to install from.`, {
      hint: 'Name a plugin to install: gemini plugins install <plugin>.',
    });
  const own = (await readLock(installer.environment.installs.user.lock, installer.schemas.lock))?.plugins ?? {};
  const restored: RestoredPlugin[] = [];
  for (const [name, locked] of Object.entries(lock.plugins)) {
    const {version} = locked;
    const isThere = locked.tree === undefined || isWhole(join(installer.store, storeName(name, locked)), locked.tree);
    if (!isThere) await restore(installer, {name, locked, agreed: ownEntry(own, name), consent});
    restored.push({name, version, changed: !isThere, locked});
  }
  return restored;
}

interface Restoring {
  readonly name: string;
  readonly locked: LockedPlugin;
  /** The plugin that the person agreed to under this name. */
  readonly agreed: LockedPlugin | undefined;
  readonly consent: ConsentMeans;
}

async function restore(installer: Installer, {name, locked, agreed, consent}: Restoring): Promise<void> {
  const wanted = exactlyAsLocked(name, locked);
  if (!wanted)
    throw new KernelError(
      'INSTALL_FROZEN',
      `${name} ${locked.version} comes from ` +
        `${locked.source.type === 'bundle' ? `the bundle ${locked.source.bundle}` : 'a link'}, and its files are ` +
        'not in the store.',
      {hint: 'Apply the bundle again: gemini bundle apply.'},
    );
  await using staged = await stagePlugin(fromItsRegistry(installer, name, locked), {wanted, locked});
  const isAgreed = agreed?.approved !== undefined && agreed.tree === locked.tree;
  if (!isAgreed)
    await askConsent({...staged, name, before: undefined, lookalike: undefined, now: installer.now()}, consent);
  await holdStore(installer, async () => {
    await rememberLock(installer);
    await staged.place();
  });
}
