import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {readLock, storeName, type LockedPlugin, type PluginsLock} from '@gemini-kernel/admission';
import {ownEntry} from '../own-entry.js';
import {holdStore} from './commit/hold-store.js';
import {listHistory, readHistory} from './commit/lock-history.js';
import {notInstalled} from './commit/not-installed.js';
import {isWhole} from './commit/place-tree.js';
import {switchLock} from './commit/switch-lock.js';
import {factsOf} from './judge/facts-of.js';
import {judgePlugin} from './judge/judge-rules.js';
import type {Installer} from './source/installer.js';

export interface RollbackRequest {
  /** One plugin only. */
  readonly name?: string | undefined;
  /** The kept lock to restore; without it, the latest that differs. */
  readonly to?: number | undefined;
}

export interface Rollback {
  readonly serial: number;
  /** The kept lock that was restored. */
  readonly from: number;
  readonly changes: readonly {readonly name: string; readonly before?: string; readonly after?: string}[];
}

/**
 * Restores an earlier lock, or its entry for one plugin, after hashing its files and checking the administrator's
 * rules. Throws KernelError ROLLBACK_IMPOSSIBLE.
 */
export async function rollBack(installer: Installer, {name, to}: RollbackRequest): Promise<Rollback> {
  return holdStore(installer, async () => {
    const now = (await readLock(installer.lock, installer.schemas.lock).catch(passOverDamage))?.plugins ?? {};
    const {serial: from, plugins} = await findEarlier(installer, {now, name, to});
    const wanted = name === undefined ? plugins : only(name, now, plugins);
    const changes = changesBetween(now, wanted);
    for (const {name: changed} of changes) {
      const locked = ownEntry(wanted, changed);
      if (locked) proveWhole(installer, changed, locked);
    }
    const {serial} = await switchLock({
      lock: installer.lock,
      schema: installer.schemas.lock,
      isDamageAccepted: true,
      change: () => wanted,
    });
    return {serial, from, changes};
  });
}

/** An unreadable lock is a reason to roll back. */
function passOverDamage(error: unknown): undefined {
  if ((error as {readonly code?: unknown} | undefined)?.code !== 'LOCK_UNREADABLE') throw error;
}

interface Search extends RollbackRequest {
  readonly now: PluginsLock['plugins'];
}

async function findEarlier({lock, schemas}: Installer, {now, name, to}: Search): Promise<PluginsLock> {
  const serials = await listHistory(lock);
  if (to !== undefined && !serials.includes(to)) throw impossible(`There is no kept state ${to}`, serials);
  for (const serial of to === undefined ? serials : [to]) {
    const kept = await readHistory(lock, serial, schemas.lock);
    if (kept && (to !== undefined || isOther(name, now, kept.plugins))) return kept;
  }
  if (name === undefined) throw impossible('There is no earlier state', serials);
  if (ownEntry(now, name) === undefined && serials.length === 0) throw notInstalled(name, Object.keys(now));
  throw impossible(`There is no earlier state of ${name}`, serials);
}

/** Whether a kept lock differs from the current one, or, for one plugin, has it with a difference. */
function isOther(name: string | undefined, now: PluginsLock['plugins'], kept: PluginsLock['plugins']): boolean {
  if (name === undefined) return changesBetween(now, kept).length > 0;
  return ownEntry(kept, name) !== undefined && changesBetween(pick(name, now), pick(name, kept)).length > 0;
}

function impossible(sentence: string, serials: readonly number[]): KernelError {
  return new KernelError('ROLLBACK_IMPOSSIBLE', `${sentence} to restore.`, {
    hint:
      serials.length > 0
        ? `Kept states: ${serials.join(', ')}. \`gemini plugins rollback --list\` shows them.`
        : 'There have been no changes yet.',
  });
}

function pick(name: string, plugins: PluginsLock['plugins']): PluginsLock['plugins'] {
  const found = ownEntry(plugins, name);
  return found ? {[name]: found} : {};
}

function only(name: string, now: PluginsLock['plugins'], kept: PluginsLock['plugins']): PluginsLock['plugins'] {
  const others = Object.fromEntries(Object.entries(now).filter(([other]) => other !== name));
  return {...others, ...pick(name, kept)};
}

/** What would change if one lock replaced the other. */
export function changesBetween(now: PluginsLock['plugins'], then: PluginsLock['plugins']): Rollback['changes'] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].sort();
  const identityOf = (plugin: LockedPlugin | undefined): string =>
    JSON.stringify([plugin?.tree, plugin?.version, plugin?.source]);
  const isChanged = (name: string): boolean => identityOf(ownEntry(now, name)) !== identityOf(ownEntry(then, name));
  return names.filter(isChanged).map((name) => {
    const [before, after] = [ownEntry(now, name), ownEntry(then, name)];
    return {name, ...(before ? {before: before.version} : {}), ...(after ? {after: after.version} : {})};
  });
}

function proveWhole(installer: Installer, name: string, locked: LockedPlugin): void {
  const {version, tree} = locked;
  judgePlugin(installer, {...factsOf(name, locked), published: new Date(0)});
  if (tree === undefined || isWhole(join(installer.store, storeName(name, locked)), tree)) return;
  throw new KernelError('ROLLBACK_IMPOSSIBLE', `The files of ${name} ${version} are missing or have changed.`, {
    hint: `Install it again: gemini plugins install ${name}@${version}`,
  });
}
