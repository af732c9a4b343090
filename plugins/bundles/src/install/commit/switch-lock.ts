import {isKernelError, KernelError, type JSONSchema} from '@gemini-kernel/kernel';
import {readLock, type LockedPlugin, type PluginsLock} from '@gemini-kernel/admission';
import {findViolations} from '@gemini-kernel/kernel/host';
import {systemFault} from '../../system-faults.js';
import {keepHistory, listHistory} from './lock-history.js';
import {writeWhole} from './write-whole.js';

export interface LockSwitch {
  /** `plugins.lock.json`. */
  readonly lock: string;
  readonly schema: JSONSchema;
  /** Whether an unreadable lock may be replaced, as if it were empty. */
  readonly isDamageAccepted?: boolean;
  /** Returns the new content of the lock, given the current one. */
  change(plugins: PluginsLock['plugins']): Readonly<Record<string, LockedPlugin>>;
}

/** How the state before the first lock is kept. */
const EMPTY: PluginsLock = {lockVersion: 1, serial: 0, plugins: {}};

/**
 * Replaces the lock in one step, with the next serial, after keeping the previous one. The trees that the new lock
 * names must be in the store, and the caller must hold the lock. Throws KernelError LOCK_UNREADABLE or
 * INSTALL_UNWRITABLE; then the lock is unchanged.
 */
export async function switchLock({lock, schema, isDamageAccepted = false, change}: LockSwitch): Promise<PluginsLock> {
  const before = await readBefore(lock, schema, isDamageAccepted);
  const serials = await listHistory(lock);
  const plugins = inOrder(change(before?.plugins ?? {}));
  const after: PluginsLock = {lockVersion: 1, serial: Math.max(before?.serial ?? 0, ...serials) + 1, plugins};
  if (before && isSame(before, after)) return before;
  const faults = await findViolations(schema, after, 'lock');
  if (faults.length > 0)
    throw new KernelError(
      'PLUGIN_UNFIT',
      `The new content of ${lock} is not a valid lock: ${faults.slice(0, 3).join(' ')}`,
    );
  await replaceLock(lock, after, before ?? (serials.length === 0 ? EMPTY : undefined));
  return after;
}

async function replaceLock(lock: string, after: PluginsLock, kept: PluginsLock | undefined): Promise<void> {
  try {
    if (kept) await keepHistory(lock, kept);
    await writeWhole(lock, `${JSON.stringify(after, null, 2)}\n`);
  } catch (error) {
    throw systemFault(error, {
      code: 'INSTALL_UNWRITABLE',
      act: `Cannot write ${lock}`,
      hint: 'Installed plugins are unchanged. Free some space or grant write access, then try again.',
    });
  }
}

async function readBefore(
  lock: string,
  schema: JSONSchema,
  isDamageAccepted: boolean,
): Promise<PluginsLock | undefined> {
  return readLock(lock, schema).catch((error: unknown) => {
    if (!isDamageAccepted || !isKernelError(error)) throw error;
    return undefined;
  });
}

function inOrder(plugins: PluginsLock['plugins']): PluginsLock['plugins'] {
  const names = Object.keys(plugins).sort();
  return Object.fromEntries(names.flatMap((name) => (plugins[name] ? [[name, plugins[name]]] : [])));
}

function isSame(a: PluginsLock, b: PluginsLock): boolean {
  return (
    JSON.stringify(Object.entries(a.plugins).sort(([one], [other]) => (one < other ? -1 : 1))) ===
    JSON.stringify(Object.entries(b.plugins))
  );
}
