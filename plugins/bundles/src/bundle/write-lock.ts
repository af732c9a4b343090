import {rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {Installer} from '../install/source/installer.js';
import {readIfThere, writeWhole} from '../install/commit/write-whole.js';
import {archiveSupply} from './archive-supply.js';
import type {BundleLock} from './bundle-lock.js';
import {checkBundle} from './check-bundle.js';
import {composeLock, keptPlugins, lockBundle} from './lock-bundle.js';
import {lockText} from './lock-text.js';
import {parseBundleLock, type WrittenBundle} from './read-bundle.js';

export interface WrittenLock {
  readonly file: string;
  readonly lock: BundleLock;
  readonly changed: boolean;
}

export interface LockMeans {
  /** With a store that is thrown away. */
  readonly installer: Installer;
  readonly environment: Environment;
  /** Whether newer versions are looked for of what is locked already. */
  readonly update: boolean;
}

/** The lock that belongs to a bundle's file: `corp.bundle.lock.json` to `corp.bundle.json`. */
export function lockFileOf(file: string): string {
  return `${file.replace(/(\.bundle)?\.json$/, '')}.bundle.lock.json`;
}

/**
 * Locks a bundle and writes the lock beside it; a lock that says the same stays untouched, and so do its signatures.
 */
export async function writeLock(
  written: WrittenBundle,
  {installer, environment, update}: LockMeans,
): Promise<WrittenLock> {
  const file = lockFileOf(written.file);
  const textBefore = await readIfThere(file);
  const before = textBefore === undefined || update ? undefined : await parseBundleLock(textBefore, file);
  try {
    const lock = await lockBundle(written, {
      installer,
      before,
      supply: archiveSupply(environment, dirname(written.file), installer.signal),
    });
    const text = lockText(lock);
    if (text === textBefore) return {file, lock, changed: false};
    try {
      await writeWhole(file, text);
      // They are over what was there before.
      await rm(`${file}.sig`, {force: true});
    } catch (cause) {
      throw new KernelError('BUNDLE_UNWRITABLE', `Cannot write ${file}.`, {
        cause,
        hint: 'Make room, or give the right to write there.',
      });
    }
    return {file, lock, changed: true};
  } finally {
    await rm(installer.store, {recursive: true, force: true, maxRetries: 3});
  }
}

/**
 * The lock of a bundle, if it is what locking would write without looking for anything newer. Throws KernelError
 * BUNDLE_STALE, and what `checkBundle` throws.
 */
export async function checkUpToDate(
  written: WrittenBundle,
): Promise<{readonly file: string; readonly lock: BundleLock}> {
  await checkBundle(written);
  const file = lockFileOf(written.file);
  const text = await readIfThere(file);
  const stale = (reason: string): KernelError =>
    new KernelError('BUNDLE_STALE', `${file} is not up to date: ${reason}.`, {
      hint: `gemini bundle lock ${written.file}`,
    });
  if (text === undefined) throw stale('there is none');
  const lock = await parseBundleLock(text, file);
  const {kept, missing} = keptPlugins(written, lock);
  if (missing[0] !== undefined) throw stale(`${missing[0]} is not in it as the bundle asks for it`);
  if (lockText(composeLock(written, kept)) !== text)
    throw stale('the bundle, or one of its policies, says something else');
  return {file, lock};
}
