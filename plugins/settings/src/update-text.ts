import {mkdir, readlink, realpath, stat} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {isFileFault} from '@gemini-kernel/files';
import {writeAtomically, writeHint} from '@gemini-kernel/files/writing';
import {isKernelError, KernelError} from '@gemini-kernel/kernel';
import {withFileLock} from './file-lock.js';
import {readSettingsText, reasonOf, systemCodeOf} from './settings-file.js';

export interface TextUpdate {
  /**
   * Gives the new text; the old one, or undefined, leaves the file as it is. `before` is undefined when there is no
   * file.
   */
  edit(before: string | undefined): Promise<string | undefined> | string | undefined;
  /** Of a file that is new; folders that are made for it can be entered by those who may read it. */
  readonly mode: number;
  readonly signal: AbortSignal;
}

/**
 * Rewrites a file of ours: one writer at a time, all or nothing, through links, its owner and mode kept. Throws
 * KernelError SETTINGS_UNREADABLE, SETTINGS_UNWRITABLE or SETTINGS_LOCKED; the file is then as it was.
 */
export async function updateText(place: string, {edit, mode, signal}: TextUpdate): Promise<void> {
  try {
    await mkdir(dirname(place), {recursive: true, mode: mode | ((mode & 0o444) >> 2)});
    const file = await followLinks(place);
    await withFileLock(file, signal, async () => {
      const before = await readSettingsText(file);
      const after = await edit(before);
      if (after === undefined || after === before) return;
      const identity = before === undefined ? {mode} : await stat(file);
      // Replacing a file does not ask for the right to write it, so this does.
      if ((identity.mode & 0o222) === 0) throw unwritable(place, 'the file is read-only');
      await writeAtomically(file, after, {like: identity});
    });
  } catch (cause) {
    if (isKernelError(cause) || systemCodeOf(cause) === undefined) throw cause;
    throw unwritable(place, isFileFault(cause) ? cause.message : reasonOf(cause), cause);
  }
}

/** The file that a link leads to, even when that does not exist yet. */
async function followLinks(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : resolve(dirname(path), target);
}

function unwritable(place: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('SETTINGS_UNWRITABLE', `Cannot write ${place}: ${reason}.`, {
    cause,
    hint: writeHint(cause, 'Make the file and its directory writable for you.'),
  });
}
