import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {appendSettingsText, editSettingsText, removeSettingsText} from './edit-settings-text.js';
import {expandVariables} from './expand-variables.js';
import {fitValue, type Misfit} from './fit-value.js';
import {joinKey, nest} from './key-path.js';
import {isSameDirectory} from './same-directory.js';
import {parseSettings, readSettingsText} from './settings-file.js';
import {findSettingsPlaces} from './settings-places.js';
import type {SettingSchema} from './settings-schema.js';
import {updateText} from './update-text.js';

export interface SettingChange {
  readonly path: readonly string[];
  /** Undefined removes the key. */
  readonly value: unknown;
  /** The value is a list whose elements are added to those that are there, or removed from them. */
  readonly act?: 'add' | 'remove';
  readonly scope: 'user' | 'project';
}

/**
 * Writes one key into a settings file and gives the file's path. Throws KernelError SETTING_MISFIT, SETTING_REMOTE,
 * SETTINGS_PLACELESS, SETTINGS_BROKEN, SETTINGS_UNREADABLE, SETTINGS_UNWRITABLE or SETTINGS_LOCKED; the file is then as
 * it was.
 */
export async function writeSetting(
  change: SettingChange,
  environment: Environment,
  {signal, schema}: {readonly signal: AbortSignal; readonly schema: SettingSchema},
): Promise<string> {
  checkChange(change, environment, schema);
  const place = findPlace(change.scope, environment);
  if (change.value === undefined && (await readSettingsText(place)) === undefined) return place;
  const mode = change.scope === 'user' ? 0o600 : 0o664;
  await updateText(place, {
    mode,
    signal,
    edit: (before) => editWith(change, {place, variables: environment.variables}, before),
  });
  return place;
}

interface Target extends Pick<Environment, 'variables'> {
  readonly place: string;
}

async function editWith(change: SettingChange, {place, variables}: Target, text: string | undefined): Promise<string> {
  if (text !== undefined) await parseSettings(place, text);
  const edited = edit(change, text ?? '{}\n', variables);
  if (edited !== undefined) return edited;
  const wanted = change.act === undefined ? 'an object' : 'a list';
  throw new KernelError(
    'SETTING_MISFIT',
    `${joinKey(change.path)} cannot be set in ${place}: what is there is not ${wanted}.`,
    {
      hint: 'Fix that key in the file, or remove it with --unset.',
    },
  );
}

function edit(
  {path, value, act}: SettingChange,
  text: string,
  variables: Environment['variables'],
): string | undefined {
  // Such a change comes from `append` or `remove`, which take lists.
  const values = value as readonly unknown[];
  if (act === 'add') return appendSettingsText(text, path, values);
  if (act === 'remove')
    return removeSettingsText(text, path, (element) => values.includes(expandVariables(element, variables)));
  return editSettingsText(text, path, value);
}

function checkChange({path, value}: SettingChange, {variables}: Environment, schema: SettingSchema): void {
  if (path[0] === 'admin') {
    throw new KernelError(
      'SETTING_REMOTE',
      `${joinKey(path)} is set by remote administration only; settings files cannot change it.`,
      {
        hint: 'Ask the administrator of your account.',
      },
    );
  }
  if (value === undefined) return;
  const misfits: Misfit[] = [];
  fitValue(nest(path, expandVariables(value, variables)), schema, misfits);
  // What its section lacks beside it may be set later.
  const own = joinKey(path);
  const [first] = misfits.filter(({key}) => key === own || key.startsWith(`${own}.`) || own.startsWith(`${key}.`));
  if (first)
    throw new KernelError('SETTING_MISFIT', `${first.sentence}.`, {
      hint: `Run \`gemini settings explain ${joinKey(path)}\` to see what it accepts.`,
    });
}

function findPlace(scope: 'user' | 'project', environment: Environment): string {
  const places = findSettingsPlaces(environment);
  if (scope === 'user') return places.user;
  if (isSameDirectory(environment.cwd, environment.home)) {
    throw new KernelError(
      'SETTINGS_PLACELESS',
      "The home directory has no project settings: its settings file is the user's.",
      {
        hint: 'Use --scope user, or change to a project directory.',
      },
    );
  }
  return places.workspace;
}
