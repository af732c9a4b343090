import {KernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {isOlder} from './is-older.js';
import type {PluginPackage} from './plugin-package.js';

/**
 * Throws KernelError INSTALL_DOWNGRADED when a plugin is older than the installed one and the older version was not
 * requested.
 */
export function refuseDowngrade(
  {name, version}: Pick<PluginPackage, 'name' | 'version'>,
  {before, isAsked}: {readonly before: LockedPlugin | undefined; readonly isAsked: boolean},
): void {
  if (!before || isAsked || !isOlder(version, before.version)) return;
  throw new KernelError('INSTALL_DOWNGRADED', `${name} ${version} is older than the installed ${before.version}.`, {
    hint: `To downgrade, run gemini plugins install ${name}@${version}, or use --force.`,
  });
}
