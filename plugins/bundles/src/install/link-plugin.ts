import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {askConsent, type ConsentMeans} from './judge/ask-consent.js';
import {findLookalike} from './judge/find-lookalike.js';
import {holdLock} from './commit/hold-lock.js';
import {inspectCandidate} from './judge/inspect-candidate.js';
import {readPlugins, type InstalledPlugin} from './install-plugin.js';
import type {Installer} from './source/installer.js';
import {judgePlugin, rulesOf} from './judge/judge-rules.js';
import {holdOf} from './source/open-installer.js';
import {ownEntry} from '../own-entry.js';
import {readPluginPackage} from './judge/plugin-package.js';
import {switchLock} from './commit/switch-lock.js';
import {systemFault} from '../system-faults.js';

/**
 * Lets a plugin load from the folder it is worked on in. Nothing is built, and npm does not run. Throws KernelError as
 * an installation does.
 */
export async function linkPlugin(
  installer: Installer,
  path: string,
  {consent, frozen}: {readonly consent: ConsentMeans; readonly frozen: boolean},
): Promise<InstalledPlugin> {
  const root = await realpath(resolve(installer.environment.cwd, path)).catch((error: unknown) => {
    throw systemFault(error, {code: 'INSTALL_MISSING', act: `Cannot link ${path}`});
  });
  if (frozen || rulesOf(installer)?.frozen)
    throw new KernelError(
      'INSTALL_FROZEN',
      `${root} cannot be linked, because only what is pinned by its content may load (frozen).`,
      {hint: 'Install it from an archive: npm pack makes one.'},
    );
  const own = await readPluginPackage(root);
  const manifest = await inspectCandidate(installer, root, own);
  const {name, version} = own;
  const {capabilities = [], isolation, replaces} = manifest;
  const source = {type: 'link' as const, location: root};
  judgePlugin(installer, {name, version, source, capabilities});
  const plugins = await readPlugins(installer);
  const before = ownEntry(plugins, name);
  const locked: LockedPlugin = {
    version,
    source,
    capabilities,
    ...(isolation ? {isolation} : {}),
    ...(replaces && replaces.length > 0 ? {replaces} : {}),
  };
  const lookalike = before
    ? undefined
    : findLookalike(name, [...Object.keys(plugins), ...installer.present.map((one) => one.manifest.name)]);
  const approved = await askConsent(
    {name, locked, before, manifest, scripts: [], lookalike, now: installer.now()},
    consent,
  );
  const agreed: LockedPlugin = {...locked, ...(approved ? {approved} : {})};
  await holdLock(holdOf(installer), async () => {
    await switchLock({
      lock: installer.lock,
      schema: installer.schemas.lock,
      change: (now) => ({...now, [name]: agreed}),
    });
  });
  return {name, version, changed: true, locked: agreed, ...(before ? {before: before.version} : {})};
}
