import {rm} from 'node:fs/promises';
import {ruleFor} from '@gemini-kernel/admission';
import {holdStore} from './commit/hold-store.js';
import {historyOf} from './commit/lock-history.js';
import {readPlugins} from './commit/read-plugins.js';
import {sweepStore} from './commit/sweep-store.js';
import {removePlugins} from './remove-plugins.js';
import type {Installer} from './source/installer.js';

/** The plugins of a lock that the user may remove from it. */
export async function listResettable(installer: Installer): Promise<readonly string[]> {
  const {managed} = installer;
  const isRequired = (name: string): boolean =>
    managed.kind === 'rules' && ruleFor(managed.rules, name).mode === 'required';
  return Object.entries(await readPlugins(installer))
    .filter(([name, {source}]) => source.type !== 'bundle' && !isRequired(name))
    .map(([name]) => name);
}

/** Removes plugins from the lock; with `hard`, also deletes what is kept of them. Returns what was removed. */
export async function resetPlugins(
  installer: Installer,
  {names, hard}: {readonly names: readonly string[]; readonly hard: boolean},
): Promise<readonly string[]> {
  if (names.length > 0) await removePlugins(installer, names);
  if (hard) {
    await holdStore(installer, async () => {
      await rm(historyOf(installer.lock), {recursive: true, force: true});
      await sweepStore(installer);
    });
  }
  return names;
}
