import {isFileFault, readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {JSONSchema} from '@gemini-kernel/kernel';
import {findViolations} from '@gemini-kernel/kernel/host';
import type {Capability} from '@gemini-kernel/kernel/host';
import type {Provenance} from './provenance.js';
import type {PluginSource} from './source.js';

/** A lock of a thousand plugins with ten thousand dependencies has a few megabytes. */
const SIZE_AT_MOST = 32 * 2 ** 20;

/** A package that a plugin brought with it, by the place where npm put it. */
export interface LockedDependency {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
}

/** What a plugin was when a person, or the signer of a bundle, said yes to it. */
export interface LockedPlugin {
  readonly version: string;
  readonly source: PluginSource;
  /** Of the archive it came in; a link has none. */
  readonly integrity?: string;
  /** Of everything in its place in the store, as `hashTree` gives it; a link has none. */
  readonly tree?: string;
  readonly capabilities: readonly Capability[];
  /** Where it wishes to run; today every plugin runs in the process of the program. */
  readonly isolation?: 'none' | 'process';
  /** Name of the key whose signature was verified. */
  readonly signer?: string;
  readonly provenance?: Provenance;
  /** Built-in tools that the person let it replace. */
  readonly replaces?: readonly string[];
  /** Relative to its place: `node_modules/x`. */
  readonly dependencies?: Readonly<Record<string, LockedDependency>>;
  readonly approved?: {readonly at: string; readonly by: string};
}

/** The content of `plugins.lock.json`. */
export interface PluginsLock {
  readonly lockVersion: 1;
  /** One more with every change. */
  readonly serial: number;
  readonly plugins: Readonly<Record<string, LockedPlugin>>;
}

/** The folder in a store that holds a locked plugin: its name, version and the beginning of its digest. */
export function storeName(name: string, {version, tree}: Pick<LockedPlugin, 'version' | 'tree'>): string {
  return `${name.replace('/', '+')}@${version}-${(tree ?? '').replace('sha256-', '').slice(0, 16)}`;
}

/** Reads and checks a lock; undefined when there is none. Throws KernelError LOCK_UNREADABLE. */
export async function readLock(path: string, schema: JSONSchema): Promise<PluginsLock | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(path, {limit: SIZE_AT_MOST}));
  } catch (cause) {
    const {code = ''} = cause as NodeJS.ErrnoException;
    if (!isFileFault(cause) && ['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw unreadable(path, isFileFault(cause) ? `${cause.reason}.` : messageOf(cause), cause);
  }
  const faults = await findViolations(schema, value, 'lock');
  if (faults.length > 0) throw unreadable(path, faults.slice(0, 3).join(' '));
  // The schema has just said so.
  return value as PluginsLock;
}

function unreadable(path: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('LOCK_UNREADABLE', `Cannot read the lock of plugins ${path}: ${reason}`, {
    cause,
    hint: 'gemini plugins rollback brings the one before it back.',
  });
}
