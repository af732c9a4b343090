import {mkdir, readlink, realpath, stat} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {isKernelError, KernelError, type Environment} from '@gemini-kernel/kernel';
import {appendSettingsText, editSettingsText} from './edit-settings-text.js';
import {expandVariables} from './expand-variables.js';
import {withFileLock} from './file-lock.js';
import {fitValue, type Misfit} from './fit-value.js';
import {joinKey, nest} from './key-path.js';
import {findSettingsPlaces, isSameDirectory} from './load-settings.js';
import {parseSettings, readSettingsText, reasonOf, systemCodeOf} from './settings-file.js';
import {readSettingsSchema} from './settings-schema.js';
import {writeAtomically} from './write-atomically.js';

export interface SettingChange {
  readonly path: readonly string[];
  /** Undefined removes the key. */
  readonly value: unknown;
  /** The value is a list whose elements are added to those that are there. */
  readonly isAddition?: boolean;
  readonly scope: 'user' | 'project';
}

/**
 * Writes one key into a settings file and gives the file's path. Throws KernelError SETTING_MISFIT, SETTING_REMOTE,
 * SETTINGS_PLACELESS, SETTINGS_BROKEN, SETTINGS_UNREADABLE, SETTINGS_UNWRITABLE or SETTINGS_LOCKED; the file is then as it was.
 */
export async function writeSetting(change: SettingChange, environment: Environment, signal: AbortSignal): Promise<string> {
  checkChange(change, environment);
  const place = findPlace(change.scope, environment);
  if (change.value === undefined && (await readSettingsText(place)) === undefined) return place;
  try {
    await mkdir(dirname(place), {recursive: true});
    const file = await followLinks(place);
    return await withFileLock(file, signal, () => rewrite(file, place, change));
  } catch (cause) {
    if (isKernelError(cause) || systemCodeOf(cause) === undefined) throw cause;
    throw unwritable(place, reasonOf(cause), cause);
  }
}

async function rewrite(file: string, place: string, {path, value, isAddition, scope}: SettingChange): Promise<string> {
  const text = await readSettingsText(file);
  if (text !== undefined) await parseSettings(place, text);
  const before = text ?? '{}\n';
  const edited = isAddition ? appendSettingsText(before, path, value as readonly unknown[]) : editSettingsText(before, path, value);
  if (edited === undefined) {
    throw new KernelError('SETTING_MISFIT', `${joinKey(path)} cannot be set in ${place}: what is there is not ${isAddition ? 'a list' : 'an object'}.`, {
      hint: 'Correct that key in the file, or remove it with --unset.',
    });
  }
  if (edited === before) return place;
  const identity = text === undefined ? {mode: scope === 'user' ? 0o600 : 0o666} : await stat(file);
  // Replacing a file does not ask for the right to write it, so this does.
  if ((identity.mode & 0o222) === 0) throw unwritable(place, 'the file is read-only');
  await writeAtomically(file, edited, identity);
  return place;
}

function checkChange({path, value}: SettingChange, {variables}: Environment): void {
  if (path[0] === 'admin') {
    throw new KernelError('SETTING_REMOTE', `${joinKey(path)} is set by remote administration only; settings files cannot change it.`, {
      hint: 'Ask whoever administers your account.',
    });
  }
  if (value === undefined) return;
  const misfits: Misfit[] = [];
  fitValue(nest(path, expandVariables(value, variables)), readSettingsSchema(), misfits);
  const [first] = misfits;
  if (first) throw new KernelError('SETTING_MISFIT', `${first.sentence}.`, {hint: `gemini settings explain ${joinKey(path)} says what it takes.`});
}

function findPlace(scope: 'user' | 'project', environment: Environment): string {
  const places = findSettingsPlaces(environment);
  if (scope === 'user') return places.user;
  if (isSameDirectory(environment.cwd, environment.home)) {
    throw new KernelError('SETTINGS_PLACELESS', 'The home directory has no project settings: its settings file is the user\'s.', {
      hint: 'Use --scope user, or go to a project.',
    });
  }
  return places.workspace;
}

/** The file that a link leads to, even when that does not exist yet. */
async function followLinks(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : resolve(dirname(path), target);
}

function unwritable(place: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('SETTINGS_UNWRITABLE', `Cannot write the settings in ${place}: ${reason}.`, {
    cause,
    hint: 'Give yourself the right to write the file and its directory, or choose another --scope.',
  });
}
