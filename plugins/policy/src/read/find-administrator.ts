import {existsSync, readdirSync} from 'node:fs';
import {posix, win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import {systemFolderOf} from './find-rule-files.js';
import {systemCodeOf} from './system-code.js';

/**
 * Something that an administrator owns on this machine, as people can find it; undefined when there is nothing.
 * Settings, rules, a lock, a
 * bundle, or a product that was made with rules of its own: each of them makes the machine a managed one.
 */
export function findAdministrator({
  platform,
  installs: {system},
  bundles,
}: Pick<Environment, 'platform' | 'installs' | 'bundles'>): string | undefined {
  const {join, dirname} = platform === 'win32' ? win32 : posix;
  const policies = systemFolderOf(platform);
  const settings = dirname(policies);
  const files = [join(settings, 'settings.json'), join(settings, 'system-defaults.json'), system.lock].filter((path) =>
    existsSync(path),
  );
  const folders = [holds(policies, '.toml'), holds(system.rules, '.json'), holds(system.bundles, '')].filter(
    (path) => path !== undefined,
  );
  const brought = bundles.filter(
    ({origin, settings: {enforced}, policies: rules}) =>
      origin === 'system' || (origin === 'product' && (enforced !== undefined || rules.length > 0)),
  );
  return files[0] ?? folders[0] ?? brought.map(({name}) => `the bundle ${name}`)[0];
}

/** The folder, when something of that kind is in it or nobody can say. */
function holds(folder: string, ending: string): string | undefined {
  try {
    return readdirSync(folder).some((name) => name.endsWith(ending)) ? folder : undefined;
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? undefined : folder;
  }
}
