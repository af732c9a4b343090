import {KernelError} from '@gemini-kernel/kernel';
import {ruleFor, type LockedPlugin} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {holdStore} from './commit/hold-store.js';
import {notInstalled} from './commit/not-installed.js';
import {readPlugins} from './commit/read-plugins.js';
import {sweepStore} from './commit/sweep-store.js';
import {switchLock} from './commit/switch-lock.js';
import type {Installer} from './source/installer.js';

/**
 * Removes plugins from the lock. Their files stay as long as a rollback may need them. Throws KernelError
 * PLUGIN_NOT_INSTALLED or INSTALL_FORBIDDEN, and then removes nothing.
 */
export async function removePlugins(
  installer: Installer,
  names: readonly string[],
): Promise<Readonly<Record<string, LockedPlugin>>> {
  return holdStore(installer, async () => {
    const plugins = await readPlugins(installer);
    const removed = Object.fromEntries(names.map((name) => [name, findRemovable(installer, name, plugins)]));
    await switchLock({
      lock: installer.lock,
      schema: installer.schemas.lock,
      change: (now) => Object.fromEntries(Object.entries(now).filter(([name]) => !Object.hasOwn(removed, name))),
    });
    await sweepStore(installer);
    return removed;
  });
}

function findRemovable(
  {managed}: Installer,
  name: string,
  plugins: Readonly<Record<string, LockedPlugin>>,
): LockedPlugin {
  const locked = ownEntry(plugins, name);
  if (!locked) throw notInstalled(name, Object.keys(plugins));
  if (locked.source.type === 'bundle')
    throw new KernelError('INSTALL_FORBIDDEN', `${name} belongs to the bundle ${locked.source.bundle}.`, {
      hint: 'Run `gemini bundle status` to see which bundles are in force.',
    });
  const rule = managed.kind === 'rules' ? ruleFor(managed.rules, name) : {};
  if (rule.mode !== 'required') return locked;
  throw new KernelError(
    'INSTALL_FORBIDDEN',
    `${name} cannot be uninstalled, because the administrator requires it${rule.message ? ` (${rule.message})` : ''}.`,
    {hint: 'Ask the administrator of this machine.'},
  );
}
