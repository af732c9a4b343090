import {isDeepStrictEqual} from 'node:util';
import {lendPackages, type LockedPlugin} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {holdStore} from './commit/hold-store.js';
import {readPlugins} from './commit/read-plugins.js';
import {rememberLock, sweepStore} from './commit/sweep-store.js';
import {switchLock} from './commit/switch-lock.js';
import {askConsent, type ConsentMeans} from './judge/ask-consent.js';
import {lookalikeBeside} from './judge/find-lookalike.js';
import {refuseDowngrade} from './judge/refuse-downgrade.js';
import type {Installer} from './source/installer.js';
import type {WantedPlugin} from './source/parse-spec.js';
import {stagePlugin, type StagedPlugin} from './stage-plugin.js';

/** What an installation did. */
export interface InstalledPlugin {
  readonly name: string;
  readonly version: string;
  /** What was installed before, if it was another version or another source. */
  readonly before?: string;
  readonly changed: boolean;
  readonly locked: LockedPlugin;
  /** A newer version that is not old enough yet. */
  readonly tooYoung?: string;
}

export interface InstallRequest {
  readonly wanted: WantedPlugin;
  readonly consent: ConsentMeans;
  /** Goes back to an older version without its number being given. */
  readonly force: boolean;
}

/**
 * Installs one plugin: staged, agreed to, put into the store, and only then into the lock. Until the last step what is
 * installed stays as it is.
 */
export async function installPlugin(
  installer: Installer,
  {wanted, consent, force}: InstallRequest,
): Promise<InstalledPlugin> {
  await using staged = await stagePlugin(installer, {wanted, ...(await lockedFor(installer, wanted))});
  const before = ownEntry(await readPlugins(installer), staged.package.name);
  refuseDowngrade(staged.package, {before, isAsked: force || wanted.type !== 'registry' || wanted.isExact});
  return await agreeAndSwitch(installer, staged, consent);
}

/** Asks for consent to a staged plugin, and puts it into the store and the lock. */
export async function agreeAndSwitch(
  installer: Installer,
  staged: StagedPlugin,
  consent: ConsentMeans,
): Promise<InstalledPlugin> {
  const {
    package: {name, version},
    locked,
    tooYoung,
  } = staged;
  const plugins = await readPlugins(installer);
  const before = ownEntry(plugins, name);
  const told = {name, version, ...(tooYoung ? {tooYoung} : {})};
  if (before && isSame(before, locked)) return putBack(installer, staged, {...told, changed: false, locked: before});
  const lookalike = lookalikeBeside(installer, name, plugins);
  const approved = await askConsent({...staged, name, before, lookalike, now: installer.now()}, consent);
  const agreed: LockedPlugin = {...locked, ...(approved ? {approved} : {})};
  await holdStore(installer, async () => {
    await rememberLock(installer);
    await staged.place();
    // What the program lends to a person's plugins it lends at every start; the administrator's store it cannot write
    // then.
    if (installer.scope === 'system') lendPackages(installer.store, installer.environment.installs.program);
    await switchLock({
      lock: installer.lock,
      schema: installer.schemas.lock,
      change: (now) => ({...now, [name]: agreed}),
    });
    await sweepStore(installer);
  });
  return {...told, changed: true, locked: agreed, ...(before ? {before: before.version} : {})};
}

function isSame(before: LockedPlugin, after: LockedPlugin): boolean {
  return (['tree', 'signer', 'source', 'provenance'] as const).every((key) =>
    isDeepStrictEqual(before[key], after[key]),
  );
}

/** Somebody may have changed what lies in the store since: then the same again is put there. */
async function putBack(installer: Installer, staged: StagedPlugin, result: InstalledPlugin): Promise<InstalledPlugin> {
  await holdStore(installer, async () => {
    await rememberLock(installer);
    await staged.place();
    await sweepStore(installer);
  });
  return result;
}

/** The archive of a version that is locked has to be the one that was locked, whatever its registry says now. */
async function lockedFor(installer: Installer, wanted: WantedPlugin): Promise<{readonly pinned?: LockedPlugin}> {
  if (wanted.type !== 'registry') return {};
  const pinned = ownEntry(await readPlugins(installer), wanted.name);
  return pinned ? {pinned} : {};
}
