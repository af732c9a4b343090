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
  /** With a temporary store. */
  readonly installer: Installer;
  readonly environment: Environment;
  /** Whether to look for newer versions of plugins that are already locked. */
  readonly update: boolean;
}

/** The lock that belongs to a bundle's file: `corp.bundle.lock.json` for `corp.bundle.json`. */
export function lockFileOf(file: string): string {
  return `${file.replace(/(\.bundle)?\.json$/, '')}.bundle.lock.json`;
}

/**
 * Locks a bundle and writes the lock beside it. If the content is the same, the lock and its signatures stay untouched.
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
      // They sign the previous content.
      await rm(`${file}.sig`, {force: true});
    } catch (cause) {
      throw new KernelError('BUNDLE_UNWRITABLE', `Cannot write ${file}.`, {
        cause,
        hint: 'Free some space, or grant write access there.',
      });
    }
    return {file, lock, changed: true};
  } finally {
    await rm(installer.store, {recursive: true, force: true, maxRetries: 3});
  }
}

/**
 * The lock of a bundle, if locking without --update would write the same. Throws KernelError BUNDLE_STALE, and the
 * errors of `checkBundle`.
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
  if (text === undefined) throw stale('it does not exist');
  const lock = await parseBundleLock(text, file);
  const {kept, missing} = keptPlugins(written, lock);
  if (missing[0] !== undefined) throw stale(`its entry for ${missing[0]} does not match the bundle`);
  if (lockText(composeLock(written, kept)) !== text) throw stale('the bundle or one of its policies has changed');
  return {file, lock};
}
