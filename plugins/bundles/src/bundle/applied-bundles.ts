import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {PublicKeys} from '@gemini-kernel/kernel/admission';
import {writeWhole} from '../install/switch-lock.js';

/** What is remembered of a bundle that was applied, also after it was removed. */
export interface AppliedBundle {
  readonly serial: number;
  /** Of the text of its lock. */
  readonly digest: string;
  readonly signers: readonly string[];
  readonly at: string;
}

/** What one scope remembers of bundles: the last serial of each, and the keys that a person let count. */
export interface BundleMemory {
  readonly applied: Readonly<Record<string, AppliedBundle>>;
  readonly keys: PublicKeys;
}

const FILE = 'memory.json';

/** Reads what a scope remembers; `bundles` is its folder of bundles. Throws KernelError BUNDLE_UNREADABLE: who forgets what was applied lets an old one pass. */
export async function readMemory(bundles: string): Promise<BundleMemory> {
  const path = join(bundles, FILE);
  try {
    const {applied, keys} = JSON.parse(await readText(path)) as Partial<BundleMemory>;
    if (typeof applied !== 'object' || typeof keys !== 'object') throw new Error('it is in no known form');
    return {applied, keys};
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return {applied: {}, keys: {}};
    throw new KernelError('BUNDLE_UNREADABLE', `Cannot read ${path}, which says what was applied before: ${messageOf(cause)}`, {cause, hint: 'Bring it back from a backup; without it an old bundle would pass for a new one.'});
  }
}

/** Replaces what a scope remembers, at once. */
export async function writeMemory(bundles: string, memory: BundleMemory): Promise<void> {
  await writeWhole(join(bundles, FILE), `${JSON.stringify(memory, null, 2)}\n`);
}
