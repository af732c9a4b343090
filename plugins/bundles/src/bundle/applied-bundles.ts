import {join} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {BUNDLE_MEMORY, readBundleMemory, type BundleMemory} from '@gemini-kernel/admission';
import {writeWhole} from '../install/commit/write-whole.js';

export type {BundleMemory, RememberedBundle as AppliedBundle} from '@gemini-kernel/admission';

/**
 * Reads what a scope remembers; `bundles` is its folder of bundles. Throws KernelError BUNDLE_UNREADABLE when the file
 * is damaged.
 */
export function readMemory(bundles: string): BundleMemory {
  try {
    return readBundleMemory(bundles);
  } catch (cause) {
    const path = join(bundles, BUNDLE_MEMORY);
    throw new KernelError(
      'BUNDLE_UNREADABLE',
      `Cannot read ${path}, the record of applied bundles: ${messageOf(cause)}`,
      {
        cause,
        hint: 'Restore it from a backup. Without it, an old bundle could pass for a new one.',
      },
    );
  }
}

/** Replaces what a scope remembers, atomically. */
export async function writeMemory(bundles: string, memory: BundleMemory): Promise<void> {
  await writeWhole(join(bundles, BUNDLE_MEMORY), `${JSON.stringify(memory, null, 2)}\n`);
}
