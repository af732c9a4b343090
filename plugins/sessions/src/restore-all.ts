import {dirname} from 'node:path';
import {isToolError} from '@gemini-kernel/kernel';
import {appendCheckpoint} from './checkpoint-log.js';
import type {Restored} from './contract.js';
import {isSameState, Snapshots, stateOf} from './file-state.js';
import {restoreFiles, type FilePlan, type RestoreOptions} from './restore-files.js';
import {refuseConflicts} from './rewind-session.js';

const MOST = 64 * 1024 * 1024;

export interface RestorePlace extends Pick<RestoreOptions, 'confirm' | 'guard' | 'approved'> {
  newId(): string;
  /** The session's own folder, and the contents in it. */
  readonly folder: string;
  readonly objects: string;
  readonly force: boolean;
  /** Returns the real path of a path in the workspace, or throws a ToolError. */
  resolve(path: string): Promise<string>;
}

/**
 * Restores files, and first saves their current state as a new checkpoint. Throws KernelError CHECKPOINT_CONFLICT
 * before anything is changed.
 */
export async function restoreAll(plans: readonly FilePlan[], place: RestorePlace): Promise<Restored> {
  const {folder, objects, force, newId, resolve} = place;
  refuseConflicts(plans, force);
  const store = new Snapshots(objects);
  const paths = plans.filter(({now, target}) => !isSameState(now, target)).map(({path}) => path);
  if (paths.length === 0) return {restored: [], removed: [], changed: [], guarded: [], lost: []};
  const id = `restore__${newId()}`;
  const before = await Promise.all(
    paths.map(async (path) => ({path, state: await stateOf(path, {most: MOST, store})})),
  );
  await appendCheckpoint(folder, {id, tool: 'restore', time: new Date().toISOString(), before, gaps: []});
  const outcome = await restoreFiles(plans, {...place, store, isInside: (path) => isInside(path, resolve)});
  const after = await Promise.all(paths.map(async (path) => ({path, state: await stateOf(path, {most: MOST})})));
  await appendCheckpoint(folder, {id, after});
  return outcome;
}

/** Only the folder is resolved: the file itself is replaced, even if it is now a link. */
async function isInside(path: string, resolve: RestorePlace['resolve']): Promise<boolean> {
  try {
    return (await resolve(dirname(path))) === dirname(path);
  } catch (error) {
    if (!isToolError(error)) throw error;
    return false;
  }
}
