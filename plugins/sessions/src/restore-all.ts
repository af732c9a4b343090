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
  /** Gives the real path of one in the workspace, or throws a ToolError. */
  resolve(path: string): Promise<string>;
}

/**
 * Brings files back, and keeps what they were until then as a checkpoint of its own. Throws KernelError
 * CHECKPOINT_CONFLICT before anything is changed.
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

/** The folder counts: the file itself is replaced, wherever a link in its place may lead. */
async function isInside(path: string, resolve: RestorePlace['resolve']): Promise<boolean> {
  try {
    return (await resolve(dirname(path))) === dirname(path);
  } catch (error) {
    if (!isToolError(error)) throw error;
    return false;
  }
}
