import {statSync} from 'node:fs';
import process from 'node:process';
import type {ForeignWriter} from './foreign-writer.js';

/**
 * Why a file belongs to someone else than this user, root and the owner of a folder that is trusted. For files of a
 * project, which is often owned by someone else or written by a group, and for those above it, which may be anyone's.
 * Undefined when it does not, when it is not there, and on Windows.
 */
export function findForeignOwner(path: string, folder: string): Omit<ForeignWriter, 'repair'> | undefined {
  const user = process.geteuid?.();
  const found = statSync(path, {throwIfNoEntry: false});
  if (user === undefined || !found) return undefined;
  const owners = [user, 0, statSync(folder, {throwIfNoEntry: false})?.uid];
  return owners.includes(found.uid) ? undefined : {path, reason: `it is owned by another user (${found.uid})`};
}
