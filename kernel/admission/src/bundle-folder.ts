import type {ActiveBundle, BundleFolder} from './contract.js';
import {verifyTree} from './verify-tree.js';

/** Why what a bundle brings is not used any more. An invalid date has passed. */
export function findExpired({name, expires}: Pick<ActiveBundle, 'name' | 'expires'>, now: Date): string | undefined {
  if (expires === undefined || new Date(expires) > now) return undefined;
  return `its bundle ${name} expired on ${expires}; apply a newer one`;
}

/**
 * Why a folder of a bundle may not be used. What an administrator applied stays after the bundle has expired: it may
 * guard. `record` is a file for what was found unchanged before.
 */
export async function findFolderFault(
  bundle: Pick<ActiveBundle, 'name' | 'origin' | 'expires'>,
  {path, tree}: BundleFolder,
  record: string,
): Promise<{readonly reason: 'changed' | 'expired'; readonly clause: string} | undefined> {
  const expired = bundle.origin === 'system' ? undefined : findExpired(bundle, new Date());
  if (expired !== undefined) return {reason: 'expired', clause: expired};
  const change = await verifyTree({root: path, tree, record});
  return change === undefined ? undefined : {reason: 'changed', clause: change};
}
