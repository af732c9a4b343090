import {readLock, type PluginsLock} from '@gemini-kernel/admission';
import type {Installer} from '../source/installer.js';

/** The current lock of an installer's scope. Throws KernelError LOCK_UNREADABLE. */
export async function readPlugins({
  lock,
  schemas,
}: Pick<Installer, 'lock' | 'schemas'>): Promise<PluginsLock['plugins']> {
  return (await readLock(lock, schemas.lock))?.plugins ?? {};
}
