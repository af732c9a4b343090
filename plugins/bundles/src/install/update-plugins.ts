import {isKernelError, type KernelError} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {notInstalled} from './commit/not-installed.js';
import {readPlugins} from './commit/read-plugins.js';
import {agreeAndSwitch} from './install-plugin.js';
import type {ConsentMeans} from './judge/ask-consent.js';
import {compareLocked, needsConsent, type PluginChange} from './judge/compare-locked.js';
import {refuseDowngrade} from './judge/refuse-downgrade.js';
import type {Installer} from './source/installer.js';
import {askedForAgain, fromItsRegistry} from './source/wanted-from-lock.js';
import {stagePlugin} from './stage-plugin.js';

export interface UpdatedPlugin {
  readonly name: string;
  readonly from: string;
  /** Absent when it could not be looked for, or has no registry to look in. */
  readonly to?: string;
  readonly state: 'current' | 'updated' | 'available' | 'failed' | 'fixed';
  readonly change?: PluginChange;
  readonly needsConsent?: boolean;
  readonly fault?: {readonly code: string; readonly message: string; readonly hint?: string};
}

export interface UpdateRequest {
  /** The plugins to update; without names, all that can be updated. */
  readonly names: readonly string[];
  readonly consent: ConsentMeans;
  /** Only reports available updates. */
  readonly check: boolean;
  readonly force: boolean;
}

/**
 * Updates plugins to the newest requested version, one after the other. Each is updated completely or not at all, and
 * a failure does not stop the others.
 */
export async function updatePlugins(
  installer: Installer,
  {names, ...how}: UpdateRequest,
): Promise<readonly UpdatedPlugin[]> {
  const plugins = await readPlugins(installer);
  const unknown = names.find((name) => !Object.hasOwn(plugins, name));
  if (unknown !== undefined) throw notInstalled(unknown, Object.keys(plugins));
  const results: UpdatedPlugin[] = [];
  for (const [name, locked] of Object.entries(plugins))
    if (names.length === 0 || names.includes(name)) results.push(await updateOne(installer, {name, locked, ...how}));
  return results;
}

interface UpdateOne extends Omit<UpdateRequest, 'names'> {
  readonly name: string;
  readonly locked: LockedPlugin;
}

async function updateOne(
  installer: Installer,
  {name, locked, consent, check, force}: UpdateOne,
): Promise<UpdatedPlugin> {
  const from = locked.version;
  const wanted = askedForAgain(name, locked);
  if (!wanted) return {name, from, state: 'fixed'};
  try {
    await using staged = await stagePlugin(fromItsRegistry(installer, name, locked), {wanted, pinned: locked});
    const to = staged.locked.version;
    if (staged.locked.tree === locked.tree) return {name, from, to, state: 'current'};
    refuseDowngrade(staged.package, {before: locked, isAsked: force});
    const change = compareLocked(locked, staged.locked);
    const told = {name, from, to, change, needsConsent: needsConsent(change)};
    if (check) return {...told, state: 'available'};
    await agreeAndSwitch(installer, staged, consent);
    return {...told, state: 'updated'};
  } catch (error) {
    installer.signal.throwIfAborted();
    if (!isKernelError(error)) throw error;
    return {name, from, state: 'failed', fault: faultOf(error)};
  }
}

function faultOf({code, hint, message}: KernelError): NonNullable<UpdatedPlugin['fault']> {
  return {code, message, ...(hint ? {hint} : {})};
}
