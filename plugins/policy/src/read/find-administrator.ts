import {existsSync, readdirSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {ActiveBundle, InstallPlaces} from '@gemini-kernel/admission/contract';
import {systemFolderOf} from './find-rule-files.js';
import {systemCodeOf} from './system-code.js';

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Undefined where the host installs nothing. */
  readonly installs: Pick<InstallPlaces, 'system'> | undefined;
  readonly bundles: readonly ActiveBundle[];
}

/**
 * Something that an administrator owns on this machine, as people can find it; undefined when there is nothing.
 * Settings, rules, a lock, a
 * bundle, or a product that was made with rules of its own: each of them makes the machine a managed one.
 */
export function findAdministrator({platform, installs, bundles}: Machine): string | undefined {
  const {join, dirname} = platform === 'win32' ? win32 : posix;
  const policies = systemFolderOf(platform);
  const settings = dirname(policies);
  const system = installs?.system;
  const files = [
    join(settings, 'settings.json'),
    join(settings, 'system-defaults.json'),
    ...(system ? [system.lock] : []),
  ].filter((path) => existsSync(path));
  const folders = [
    holds(policies, '.toml'),
    ...(system ? [holds(system.rules, '.json'), holds(system.bundles, '')] : []),
  ].filter((path) => path !== undefined);
  const brought = bundles.filter(
    ({origin, settings: {enforced}, policies: rules}) =>
      origin === 'system' || (origin === 'product' && (enforced !== undefined || rules.length > 0)),
  );
  return files[0] ?? folders[0] ?? brought.map(({name}) => `the bundle ${name}`)[0];
}

/** The folder, when something of that kind is in it, or it is unknown. */
function holds(folder: string, ending: string): string | undefined {
  try {
    return readdirSync(folder).some((name) => name.endsWith(ending)) ? folder : undefined;
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? undefined : folder;
  }
}
