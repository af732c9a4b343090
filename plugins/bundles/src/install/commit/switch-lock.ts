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
  /** Whether a lock that cannot be read may be replaced, as if nothing were in it. */
  readonly isDamageAccepted?: boolean;
  /** What is to be in the lock, made of what is in it. */
  change(plugins: PluginsLock['plugins']): Readonly<Record<string, LockedPlugin>>;
}

/** What is kept of the time before the first lock. */
const EMPTY: PluginsLock = {lockVersion: 1, serial: 0, plugins: {}};

/**
 * Replaces the lock in one step, with a serial one higher, after the one before was kept. Trees that the new lock names
 * have to be in the store by then, and the caller has to hold the lock. Throws KernelError LOCK_UNREADABLE or
 * INSTALL_UNWRITABLE; then the lock is what it was.
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
      `What was to be written into ${lock} is no lock: ${faults.slice(0, 3).join(' ')}`,
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
      hint: 'What is installed stays as it is. Make room, or give the right to write there, then try again.',
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
