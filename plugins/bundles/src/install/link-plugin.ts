import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {systemFault} from '../system-faults.js';
import {holdStore} from './commit/hold-store.js';
import {lockedEntry} from './commit/locked-entry.js';
import {readPlugins} from './commit/read-plugins.js';
import {switchLock} from './commit/switch-lock.js';
import type {InstalledPlugin} from './install-plugin.js';
import {askConsent, type ConsentMeans} from './judge/ask-consent.js';
import {factsOf} from './judge/facts-of.js';
import {lookalikeBeside} from './judge/find-lookalike.js';
import {inspectCandidate} from './judge/inspect-candidate.js';
import {judgePlugin, rulesOf} from './judge/judge-rules.js';
import {readPluginPackage} from './judge/plugin-package.js';
import type {Installer} from './source/installer.js';

/**
 * Links a plugin to load from its development folder. Builds nothing and does not run npm. Throws the same
 * KernelErrors as an installation.
 */
export async function linkPlugin(
  installer: Installer,
  path: string,
  {
    consent,
    frozen,
    isolated = false,
  }: {
    readonly consent: ConsentMeans;
    readonly frozen: boolean;
    readonly isolated?: boolean;
  },
): Promise<InstalledPlugin> {
  const root = await realpath(resolve(installer.environment.cwd, path)).catch((error: unknown) => {
    throw systemFault(error, {code: 'INSTALL_MISSING', act: `Cannot link ${path}`});
  });
  if (frozen || rulesOf(installer)?.frozen)
    throw new KernelError(
      'INSTALL_FROZEN',
      `${root} cannot be linked, because only plugins that are pinned by content may load (frozen).`,
      {hint: 'Install it from an archive: make one with `npm pack`.'},
    );
  const own = await readPluginPackage(root);
  const manifest = await inspectCandidate(installer, root, own);
  const {name, version} = own;
  const {isolation: _, ...entry} = lockedEntry(manifest, {version, source: {type: 'link', location: root}});
  // What its author wishes for does not count while it is developed.
  const locked: LockedPlugin = {...entry, ...(isolated ? {isolation: 'process' as const} : {})};
  judgePlugin(installer, factsOf(name, locked));
  const plugins = await readPlugins(installer);
  const before = ownEntry(plugins, name);
  const lookalike = lookalikeBeside(installer, name, plugins);
  const approved = await askConsent(
    {name, locked, before, manifest, scripts: [], lookalike, now: installer.now()},
    consent,
  );
  const agreed: LockedPlugin = {...locked, ...(approved ? {approved} : {})};
  await holdStore(installer, async () => {
    await switchLock({
      lock: installer.lock,
      schema: installer.schemas.lock,
      change: (now) => ({...now, [name]: agreed}),
    });
  });
  return {name, version, changed: true, locked: agreed, ...(before ? {before: before.version} : {})};
}
