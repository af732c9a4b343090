import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {hashTree} from '@gemini-kernel/admission';
import type {ExtensionSource} from '../contract.js';
import type {LockedExtension} from './extension-lock.js';
import {isIntact, place, sweep, withWork} from './extension-store.js';
import type {Installation} from './install-extension.js';
import {obtainSource} from './obtain-source.js';

type LockedInstallation = Pick<Installation, 'environment' | 'judge' | 'lock' | 'releases' | 'signal'>;

export interface InstalledFromLock {
  readonly name: string;
  readonly version: string;
  /** Its files were there already. */
  readonly isSame: boolean;
}

/**
 * Makes the store hold exactly what the lock names, which was agreed to, and never changes the lock. Throws KernelError
 * EXTENSION_INVALID for a source that has other files now, and EXTENSION_REFUSED, EXTENSION_UNREACHABLE or
 * EXTENSION_UNWRITABLE.
 */
export async function installLocked(installation: LockedInstallation): Promise<readonly InstalledFromLock[]> {
  const installed: InstalledFromLock[] = [];
  const names = Object.keys(await installation.lock.read());
  for (const name of names)
    await withWork(installation, async (work) => {
      // Another process may have removed it since.
      const entry = (await installation.lock.read())[name];
      if (entry) installed.push({name, version: entry.version, isSame: await settle(installation, name, entry, work)});
    });
  return installed;
}

async function settle(
  {lock, judge, environment, signal, releases}: LockedInstallation,
  name: string,
  entry: LockedExtension,
  work: string,
): Promise<boolean> {
  await judge(name, entry.source);
  if (isIntact(lock.folderOf(name, entry), entry.tree)) return true;
  await obtainSource({source: pinned(entry.source), environment, signal, ...(releases ? {releases} : {})}, work);
  const folder = join(work, 'tree');
  if (hashTree(folder) !== entry.tree)
    throw new KernelError(
      'EXTENSION_INVALID',
      `${entry.source.location} does not have the files of ${name} ${entry.version} that the lock names.`,
      {hint: `\`gemini extensions update ${name}\` shows what is different, and asks.`},
    );
  await place(lock, name, entry, folder);
  await sweep(lock, name, entry);
  return false;
}

/** The commit or the version that was agreed to, whatever the branch or the tag has now. */
function pinned(source: ExtensionSource): ExtensionSource {
  const ref = source.commit ?? source.version ?? source.tag;
  return ref === undefined ? source : {...source, ref};
}
