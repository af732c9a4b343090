import type {Installer} from '../source/installer.js';
import {holdLock} from './hold-lock.js';

/**
 * Runs an act while no other process changes the store of an installer, or a lock that names its trees. Throws the
 * errors of `holdLock`.
 */
export async function holdStore<T>(
  {store, scope, signal, tell}: Pick<Installer, 'store' | 'scope' | 'signal' | 'tell'>,
  act: () => Promise<T>,
): Promise<T> {
  return holdLock({file: `${store}.hold`, isShared: scope === 'system', signal, tell}, act);
}
