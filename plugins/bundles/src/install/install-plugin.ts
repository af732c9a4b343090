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

/** The result of an installation. */
export interface InstalledPlugin {
  readonly name: string;
  readonly version: string;
  /** What was installed before, if the version or the source was different. */
  readonly before?: string;
  readonly changed: boolean;
  readonly locked: LockedPlugin;
  /** A newer version that is not old enough yet. */
  readonly tooYoung?: string;
}

export interface InstallRequest {
  readonly wanted: WantedPlugin;
  readonly consent: ConsentMeans;
  /** Accepts an older version without its number being given. */
  readonly force: boolean;
}

/**
 * Installs one plugin: stages it, asks for consent, puts it into the store, and only then into the lock. Until that
 * last step, what is installed is unchanged.
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
    // At every start the program provides its own packages to a user's plugins; it cannot write to the administrator's
    // store then.
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

/** The store may have been changed since: then put the same tree there again. */
async function putBack(installer: Installer, staged: StagedPlugin, result: InstalledPlugin): Promise<InstalledPlugin> {
  await holdStore(installer, async () => {
    await rememberLock(installer);
    await staged.place();
    await sweepStore(installer);
  });
  return result;
}

/** The archive of a locked version must be the locked one, whatever its registry says now. */
async function lockedFor(installer: Installer, wanted: WantedPlugin): Promise<{readonly pinned?: LockedPlugin}> {
  if (wanted.type !== 'registry') return {};
  const pinned = ownEntry(await readPlugins(installer), wanted.name);
  return pinned ? {pinned} : {};
}
