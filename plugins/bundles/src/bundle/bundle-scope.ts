import {lstat, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {ScopePlaces} from '@gemini-kernel/admission/contract';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {readManagedRules, type ManagedReading} from '@gemini-kernel/admission';
import {makeStoreFolder} from '../install/commit/make-store-folder.js';
import {readMemory, type BundleMemory} from './applied-bundles.js';
import {publishedSchema} from '../published-schema.js';
import type {Surroundings} from '../surroundings.js';

/** For whom a bundle is applied, and what is in force there. */
export interface BundleScope {
  readonly name: 'user' | 'system';
  readonly places: ScopePlaces;
  readonly environment: Surroundings;
  readonly managed: ManagedReading;
  readonly memory: BundleMemory;
}

/** The administrator's rules as they are now. */
export async function readManaged({installs: {system}}: Pick<Surroundings, 'installs'>): Promise<ManagedReading> {
  return readManagedRules({folder: system.rules, owner: system.owner}, await publishedSchema('managed'));
}

/** Opens a scope for reading. */
export async function openScope(environment: Surroundings, name: BundleScope['name']): Promise<BundleScope> {
  const places = environment.installs[name];
  return {name, places, environment, managed: await readManaged(environment), memory: readMemory(places.bundles)};
}

/**
 * Makes sure that this process can write to a scope, and that what it writes counts there. Throws KernelError
 * BUNDLE_NOT_ADMINISTRATOR or BUNDLE_UNWRITABLE.
 */
export async function claimScope({name, places: {bundles}, environment}: BundleScope): Promise<void> {
  const probe = join(bundles, `.probe-${environment.newId()}`);
  const {owner} = environment.installs.system;
  try {
    await makeStoreFolder(bundles, name === 'system');
    await writeFile(probe, '');
    const {uid} = await lstat(probe);
    await rm(probe);
    if (name === 'system' && owner !== undefined && uid !== owner)
      throw new Error(`files that this user writes belong to user ${uid}, not to the administrator`);
  } catch (cause) {
    if (name === 'system')
      throw new KernelError(
        'BUNDLE_NOT_ADMINISTRATOR',
        `Only an administrator can apply or remove bundles for all users: ${messageOf(cause)}`,
        {cause, hint: 'Run it as root, or omit --system.'},
      );
    throw new KernelError('BUNDLE_UNWRITABLE', `Cannot write to ${bundles}: ${messageOf(cause)}`, {
      cause,
      hint: 'Free some space, or make the directory writable for you.',
    });
  }
}
